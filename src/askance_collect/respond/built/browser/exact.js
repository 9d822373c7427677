function Oa(e,t,n){let{words:r}=n,o=he(t?.typed!==void 0),s=Wn(e,n),i=(l,f)=>{let p=Ze(l,f);return te(e).some(([g,k])=>p!==void 0&&g<=p&&p<k)?p:void 0},a={label:r.exactNumber,locate:i,outOfRangeText:r.typeExact(s)},{row:c,status:d,read:u}=Jt(e,t,n,a);return c.className+=" revealed",{radio:o,nodes:[J(o,Mn(s,n),r.sentExactly),c,d],read:u}}
I.exact=Oa;
