function ar(e,t,n,r,{locate:o,outOfRangeText:s}={outOfRangeText:Qo}){let{words:i}=r,a=he(n?.index===null),c=D(),d=Ce(e)&&(pn=>jc(e,pn,t,r)),u={label:i.yourNumber,locate:o,outOfRangeText:s(e,r),preview:d},{input:l,row:f,status:p,show:g,read:k}=Jt(e,n,r,u),L=d?[h(i.stays,"hint")]:[],R=[f,...L,p,J(a,i.rather)];l.addEventListener("input",()=>{a.checked&&=l.value===""}),a.addEventListener("click",()=>{l.value="",g()});let re=()=>{if(a.checked)return{index:null};if(l.value.trim()==="")throw F(c,Qo(e,r),l);return k(c)};return{node:q(R,c),read:re}}
function jc(e,t,n,r){let o=De({...e,blank:[0,1]},t,n),{words:s}=r;return o===null?s.tooNarrow:s.sentRange(ue(e,o,r))}
var Qo=({line:e},{words:t})=>e.whole?t.typeWhole:t.typeOne;
I.typed=ar,Oe.typed=({words:e})=>e.cutTyped;
