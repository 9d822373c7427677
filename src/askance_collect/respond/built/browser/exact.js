function la(e,t,n){let{words:r}=n,o=me(t?.typed!==void 0),s=Hn(e,n),i=(l,f)=>{let h=ze(l,f);return ee(e).some(([g,k])=>h!==void 0&&g<=h&&h<k)?h:void 0},a={label:r.exactNumber,locate:i,outOfRangeText:r.typeExact(s)},{row:c,status:d,read:u}=Vt(e,t,n,a);return c.className+=" revealed",{radio:o,nodes:[J(o,vn(s,n),r.sentExactly),c,d],read:u}}
T.exact=la;
