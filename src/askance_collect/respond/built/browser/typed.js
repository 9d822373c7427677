function Rn(e,t,n,r,{locate:o,outOfRangeText:s}={outOfRangeText:lo}){let{words:i}=r,a=de(n?.index===null),c=H(),d=Oe(e)&&(Xt=>_a(e,Xt,t,r)),u={label:i.yourNumber,locate:o,outOfRangeText:s(e,r),preview:d},{input:l,row:f,status:g,show:w,read:O}=Ht(e,n,r,u),N=d?[h(i.stays,"hint")]:[],v=[f,...N,g,Q(a,i.rather)];l.addEventListener("input",()=>{a.checked&&=l.value===""}),a.addEventListener("click",()=>{l.value="",w()});let te=()=>{if(a.checked)return{index:null};if(l.value.trim()==="")throw W(c,lo(e,r),l);return O(c)};return{node:X(e,r,v,c),read:te}}
function _a(e,t,n,r){let o=Ne({...e,blank:[0,1]},t,n),{words:s}=r;return o===null?s.tooNarrow:s.sentRange(se(e,o,r))}
var lo=({line:e},{words:t})=>e.whole?t.typeWhole:t.typeOne;
I.typed=Rn,he.typed=({words:e})=>e.cutTyped;
