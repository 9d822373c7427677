function dr(e,t,n,r,{locate:o,outOfRangeText:s}={outOfRangeText:Zo}){let{words:i}=r,a=ge(n?.index===null),c=F(),d=ve(e)&&(gn=>Kc(e,gn,t,r)),u={label:i.yourNumber,locate:o,outOfRangeText:s(e,r),preview:d},{input:l,row:f,status:m,show:g,read:k}=Zt(e,n,r,u),N=d?[h(i.stays,"hint")]:[],R=[f,...N,m,X(a,i.rather)];l.addEventListener("input",()=>{a.checked&&=l.value===""}),a.addEventListener("click",()=>{l.value="",g()});let oe=()=>{if(a.checked)return{index:null};if(l.value.trim()==="")throw D(c,Zo(e,r),l);return k(c)};return{node:te(R,c),read:oe}}
function Kc(e,t,n,r){let o=Me({...e,blank:[0,1]},t,n),{words:s}=r;return o===null?s.tooNarrow:s.sentRange(fe(e,o,r))}
var Zo=({line:e},{words:t})=>e.whole?t.typeWhole:t.typeOne;
I.typed=dr,Ee.typed=({words:e})=>e.cutTyped;
