function ba(e,t,n){let{words:r}=n,o=me(t?.typed!==void 0),s=Un(e,n),i=(l,f)=>{let m=Je(l,f);return ee(e).some(([g,y])=>m!==void 0&&g<=m&&m<y)?m:void 0},a={label:r.exactNumber,locate:i,outOfRangeText:r.typeExact(s)},{row:c,status:d,read:u}=Jt(e,t,n,a);return c.className+=" revealed",{radio:o,nodes:[J(o,Dn(s,n),r.sentExactly),c,d],read:u}}
L.exact=ba;
function wa(e,t,n){let{words:r}=n,o=he(t?.typed!==void 0),s=Un(e,n),i=(l,f)=>{let p=Ve(l,f);return ee(e).some(([g,k])=>p!==void 0&&g<=p&&p<k)?p:void 0},a={label:r.exactNumber,locate:i,outOfRangeText:r.typeExact(s)},{row:c,status:d,read:u}=Vt(e,t,n,a);return c.className+=" revealed",{radio:o,nodes:[J(o,Fn(s,n),r.sentExactly),c,d],read:u}}
L.exact=wa;
