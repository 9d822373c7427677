function ir(e,t,n,r,{locate:o,outOfRangeText:s}={outOfRangeText:Qo}){let{words:i}=r,a=me(n?.index===null),c=F(),d=Ce(e)&&(pn=>Ic(e,pn,t,r)),u={label:i.yourNumber,locate:o,outOfRangeText:s(e,r),preview:d},{input:l,row:f,status:m,show:g,read:y}=Jt(e,n,r,u),T=d?[h(i.stays,"hint")]:[],R=[f,...T,m,J(a,i.rather)];l.addEventListener("input",()=>{a.checked&&=l.value===""}),a.addEventListener("click",()=>{l.value="",g()});let ne=()=>{if(a.checked)return{index:null};if(l.value.trim()==="")throw D(c,Qo(e,r),l);return y(c)};return{node:Y(R,c),read:ne}}
function Ic(e,t,n,r){let o=Pe({...e,blank:[0,1]},t,n),{words:s}=r;return o===null?s.tooNarrow:s.sentRange(le(e,o,r))}
var Qo=({line:e},{words:t})=>e.whole?t.typeWhole:t.typeOne;
L.typed=ir,Se.typed=({words:e})=>e.cutTyped;
function sr(e,t,n,r,{locate:o,outOfRangeText:s}={outOfRangeText:zo}){let{words:i}=r,a=he(n?.index===null),c=P(),d=Ie(e)&&(un=>Tc(e,un,t,r)),u={label:i.yourNumber,locate:o,outOfRangeText:s(e,r),preview:d},{input:l,row:f,status:p,show:g,read:k}=Vt(e,n,r,u),I=d?[h(i.stays,"hint")]:[],R=[f,...I,p,J(a,i.rather)];l.addEventListener("input",()=>{a.checked&&=l.value===""}),a.addEventListener("click",()=>{l.value="",g()});let ne=()=>{if(a.checked)return{index:null};if(l.value.trim()==="")throw D(c,zo(e,r),l);return k(c)};return{node:Y(R,c),read:ne}}
function Tc(e,t,n,r){let o=He({...e,blank:[0,1]},t,n),{words:s}=r;return o===null?s.tooNarrow:s.sentRange(ue(e,o,r))}
var zo=({line:e},{words:t})=>e.whole?t.typeWhole:t.typeOne;
L.typed=sr,Oe.typed=({words:e})=>e.cutTyped;
