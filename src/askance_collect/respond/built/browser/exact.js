function Ii(e,t,n){let{words:r}=n,o=de(t?.typed!==void 0),s=kn(e,n),i=(l,f)=>{let g=Tt(l,f);return q(e).some(([w,O])=>g!==void 0&&w<=g&&g<O)?g:void 0},a={label:r.exactNumber,locate:i,outOfRangeText:r.typeExact(s)},{row:c,status:d,read:u}=Ht(e,t,n,a);return c.className+=" revealed",{radio:o,nodes:[Q(o,bn(s,n),r.sentExactly),c,d],read:u}}
I.exact=Ii;
