function hr(e,t,n,r,{locate:o,outOfRangeText:s}={outOfRangeText:ns}){let{words:i}=r,a=be(n?.index===null),c=F(),d=je(e)&&(bn=>Xc(e,bn,t,r)),u={label:i.yourNumber,locate:o,outOfRangeText:s(e,r),preview:d},{input:l,row:f,status:p,show:g,read:k}=Xt(e,n,r,u),T=d?[h(i.stays,"hint")]:[],R=[f,...T,p,X(a,i.rather)];l.addEventListener("input",()=>{a.checked&&=l.value===""}),a.addEventListener("click",()=>{l.value="",g()});let ie=()=>{if(a.checked)return{index:null};if(l.value.trim()==="")throw D(c,ns(e,r),l);return k(c)};return{node:te(R,c),read:ie}}
function Xc(e,t,n,r){let o=De({...e,blank:[0,1]},t,n),{words:s}=r;return o===null?s.tooNarrow:s.sentRange(me(e,o,r))}
var ns=({line:e},{words:t})=>e.whole?t.typeWhole:t.typeOne;
I.typed=hr,Ne.typed=({words:e})=>e.cutTyped;
