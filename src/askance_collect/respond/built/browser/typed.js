function Hn(e,t,n,r,{locate:o,outOfRangeText:s}={outOfRangeText:po}){let{words:i}=r,a=de(n?.index===null),c=H(),d=Ae(e)&&(en=>Va(e,en,t,r)),u={label:i.yourNumber,locate:o,outOfRangeText:s(e,r),preview:d},{input:l,row:f,status:g,show:w,read:O}=Pt(e,n,r,u),N=d?[h(i.stays,"hint")]:[],v=[f,...N,g,J(a,i.rather)];l.addEventListener("input",()=>{a.checked&&=l.value===""}),a.addEventListener("click",()=>{l.value="",w()});let ne=()=>{if(a.checked)return{index:null};if(l.value.trim()==="")throw W(c,po(e,r),l);return O(c)};return{node:q(e,r,v,c),read:ne}}
function Va(e,t,n,r){let o=Ce({...e,blank:[0,1]},t,n),{words:s}=r;return o===null?s.tooNarrow:s.sentRange(se(e,o,r))}
var po=({line:e},{words:t})=>e.whole?t.typeWhole:t.typeOne;
I.typed=Hn,he.typed=({words:e})=>e.cutTyped;
