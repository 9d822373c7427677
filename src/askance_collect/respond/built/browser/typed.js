function Mn(e,t,n,r,{locate:o,outOfRangeText:s}={outOfRangeText:bo}){let{words:i}=r,a=ue(n?.index===null),c=H(),d=Te(e)&&(tn=>nc(e,tn,t,r)),u={label:i.yourNumber,locate:o,outOfRangeText:s(e,r),preview:d},{input:l,row:f,status:g,show:w,read:S}=Mt(e,n,r,u),N=d?[h(i.stays,"hint")]:[],v=[f,...N,g,Z(a,i.rather)];l.addEventListener("input",()=>{a.checked&&=l.value===""}),a.addEventListener("click",()=>{l.value="",w()});let ne=()=>{if(a.checked)return{index:null};if(l.value.trim()==="")throw W(c,bo(e,r),l);return S(c)};return{node:q(e,r,v,c),read:ne}}
function nc(e,t,n,r){let o=Re({...e,blank:[0,1]},t,n),{words:s}=r;return o===null?s.tooNarrow:s.sentRange(ae(e,o,r))}
var bo=({line:e},{words:t})=>e.whole?t.typeWhole:t.typeOne;
I.typed=Mn,be.typed=({words:e})=>e.cutTyped;
function qn(e,t,n,r,{locate:o,outOfRangeText:s}={outOfRangeText:Co}){let{words:i}=r,a=fe(n?.index===null),c=P(),d=Te(e)&&(ln=>lc(e,ln,t,r)),u={label:i.yourNumber,locate:o,outOfRangeText:s(e,r),preview:d},{input:l,row:f,status:h,show:g,read:S}=zt(e,n,r,u),L=d?[m(i.stays,"hint")]:[],R=[f,...L,h,Q(a,i.rather)];l.addEventListener("input",()=>{a.checked&&=l.value===""}),a.addEventListener("click",()=>{l.value="",g()});let ne=()=>{if(a.checked)return{index:null};if(l.value.trim()==="")throw U(c,Co(e,r),l);return S(c)};return{node:q(e,r,R,c),read:ne}}
function lc(e,t,n,r){let o=Be({...e,blank:[0,1]},t,n),{words:s}=r;return o===null?s.tooNarrow:s.sentRange(ae(e,o,r))}
var Co=({line:e},{words:t})=>e.whole?t.typeWhole:t.typeOne;
T.typed=qn,ke.typed=({words:e})=>e.cutTyped;
