function yr(e,t,n,r,{locate:o,outOfRangeText:s}={outOfRangeText:ds}){let{words:i}=r,a=ye(n?.index===null),c=M(),d=ve(e)&&(bn=>fd(e,bn,t,r)),u={label:i.yourNumber,locate:o,outOfRangeText:s(e,r),preview:d},{input:l,row:f,status:m,show:g,read:k}=Xt(e,n,r,u),L=d?[h(i.stays,"hint")]:[],R=[f,...L,m,X(a,i.rather)];l.addEventListener("input",()=>{a.checked&&=l.value===""}),a.addEventListener("click",()=>{l.value="",g()});let ie=()=>{if(a.checked)return{index:null};if(l.value.trim()==="")throw D(c,ds(e,r),l);return k(c)};return{node:te(R,c),read:ie}}
function fd(e,t,n,r){let o=Ue({...e,blank:[0,1]},t,n),{words:s}=r;return o===null?s.tooNarrow:s.sentRange(he(e,o,r))}
var ds=({line:e},{words:t})=>e.whole?t.typeWhole:t.typeOne;
T.typed=yr,Te.typed=({words:e})=>e.cutTyped;
