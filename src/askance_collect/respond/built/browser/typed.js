function or(e,t,n,r,{locate:o,outOfRangeText:s}={outOfRangeText:zo}){let{words:i}=r,a=me(n?.index===null),c=P(),d=Ie(e)&&(un=>Ec(e,un,t,r)),u={label:i.yourNumber,locate:o,outOfRangeText:s(e,r),preview:d},{input:l,row:f,status:m,show:g,read:k}=Vt(e,n,r,u),L=d?[h(i.stays,"hint")]:[],R=[f,...L,m,J(a,i.rather)];l.addEventListener("input",()=>{a.checked&&=l.value===""}),a.addEventListener("click",()=>{l.value="",g()});let ne=()=>{if(a.checked)return{index:null};if(l.value.trim()==="")throw D(c,zo(e,r),l);return k(c)};return{node:Y(R,c),read:ne}}
function Ec(e,t,n,r){let o=He({...e,blank:[0,1]},t,n),{words:s}=r;return o===null?s.tooNarrow:s.sentRange(le(e,o,r))}
var zo=({line:e},{words:t})=>e.whole?t.typeWhole:t.typeOne;
T.typed=or,Se.typed=({words:e})=>e.cutTyped;
