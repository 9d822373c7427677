function Ki(e,t,n){let{words:r}=n,o=ue(t?.typed!==void 0),s=An(e,n),i=(l,f)=>{let g=He(l,f);return ee(e).some(([w,S])=>g!==void 0&&w<=g&&g<S)?g:void 0},a={label:r.exactNumber,locate:i,outOfRangeText:r.typeExact(s)},{row:c,status:d,read:u}=Mt(e,t,n,a);return c.className+=" revealed",{radio:o,nodes:[Z(o,Sn(s,n),r.sentExactly),c,d],read:u}}
I.exact=Ki;
function Xi(e,t,n){let{words:r}=n,o=fe(t?.typed!==void 0),s=vn(e,n),i=(l,f)=>{let h=ze(l,f);return ee(e).some(([g,S])=>h!==void 0&&g<=h&&h<S)?h:void 0},a={label:r.exactNumber,locate:i,outOfRangeText:r.typeExact(s)},{row:c,status:d,read:u}=zt(e,t,n,a);return c.className+=" revealed",{radio:o,nodes:[Q(o,jn(s,n),r.sentExactly),c,d],read:u}}
T.exact=Xi;
