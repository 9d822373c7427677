function Ea(e,t,n){let{words:r}=n,o=ge(t?.typed!==void 0),s=Gn(e,n),i=(l,f)=>{let m=Xe(l,f);return ne(e).some(([g,k])=>m!==void 0&&g<=m&&m<k)?m:void 0},a={label:r.exactNumber,locate:i,outOfRangeText:r.typeExact(s)},{row:c,status:d,read:u}=Zt(e,t,n,a);return c.className+=" revealed",{radio:o,nodes:[X(o,Kn(s,n),r.sentExactly),c,d],read:u}}
I.exact=Ea;
