function Fa(e,t,n){let{words:r}=n,o=ye(t?.typed!==void 0),s=Jn(e,n),i=(l,f)=>{let m=qe(l,f);return re(e).some(([g,k])=>m!==void 0&&g<=m&&m<k)?m:void 0},a={label:r.exactNumber,locate:i,outOfRangeText:r.typeExact(s)},{row:c,status:d,read:u}=Xt(e,t,n,a);return c.className+=" revealed",{radio:o,nodes:[X(o,Vn(s,n),r.sentExactly),c,d],read:u}}
T.exact=Fa;
