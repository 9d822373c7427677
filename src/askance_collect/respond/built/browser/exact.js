function Ri(e,t,n){let{words:r}=n,o=de(t?.typed!==void 0),s=On(e,n),i=(l,f)=>{let g=je(l,f);return ee(e).some(([w,O])=>g!==void 0&&w<=g&&g<O)?g:void 0},a={label:r.exactNumber,locate:i,outOfRangeText:r.typeExact(s)},{row:c,status:d,read:u}=Pt(e,t,n,a);return c.className+=" revealed",{radio:o,nodes:[J(o,xn(s,n),r.sentExactly),c,d],read:u}}
I.exact=Ri;
