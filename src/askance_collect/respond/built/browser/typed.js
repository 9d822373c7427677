function tr(e,t,n,r,{locate:o,outOfRangeText:s}={outOfRangeText:Bo}){let{words:i}=r,a=me(n?.index===null),c=P(),d=Ie(e)&&(un=>kc(e,un,t,r)),u={label:i.yourNumber,locate:o,outOfRangeText:s(e,r),preview:d},{input:l,row:f,status:h,show:g,read:k}=Vt(e,n,r,u),L=d?[m(i.stays,"hint")]:[],R=[f,...L,h,J(a,i.rather)];l.addEventListener("input",()=>{a.checked&&=l.value===""}),a.addEventListener("click",()=>{l.value="",g()});let ne=()=>{if(a.checked)return{index:null};if(l.value.trim()==="")throw U(c,Bo(e,r),l);return k(c)};return{node:q(e,r,R,c),read:ne}}
function kc(e,t,n,r){let o=He({...e,blank:[0,1]},t,n),{words:s}=r;return o===null?s.tooNarrow:s.sentRange(de(e,o,r))}
var Bo=({line:e},{words:t})=>e.whole?t.typeWhole:t.typeOne;
T.typed=tr,Oe.typed=({words:e})=>e.cutTyped;
