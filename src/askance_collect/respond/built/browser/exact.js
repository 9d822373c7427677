function Ba(e,t,n){let{words:r}=n,o=be(t?.typed!==void 0),s=Qn(e,n),i=(l,f)=>{let p=Xe(l,f);return re(e).some(([g,k])=>p!==void 0&&g<=p&&p<k)?p:void 0},a={label:r.exactNumber,locate:i,outOfRangeText:r.typeExact(s)},{row:c,status:d,read:u}=Xt(e,t,n,a);return c.className+=" revealed",{radio:o,nodes:[X(o,zn(s,n),r.sentExactly),c,d],read:u}}
I.exact=Ba;
