function ha(e,t,n){let{words:r}=n,o=me(t?.typed!==void 0),s=Dn(e,n),i=(l,f)=>{let m=Ve(l,f);return ee(e).some(([g,k])=>m!==void 0&&g<=m&&m<k)?m:void 0},a={label:r.exactNumber,locate:i,outOfRangeText:r.typeExact(s)},{row:c,status:d,read:u}=Vt(e,t,n,a);return c.className+=" revealed",{radio:o,nodes:[J(o,Pn(s,n),r.sentExactly),c,d],read:u}}
T.exact=ha;
