function wr(e,t,n,r,{locate:o,outOfRangeText:s}={outOfRangeText:ls}){let{words:i}=r,a=ye(n?.index===null),c=M(),d=je(e)&&(kn=>gd(e,kn,t,r)),u={label:i.yourNumber,locate:o,outOfRangeText:s(e,r),preview:d},{input:l,row:f,status:m,show:g,read:k}=qt(e,n,r,u),L=d?[h(i.stays,"hint")]:[],j=[f,...L,m,X(a,i.rather)];l.addEventListener("input",()=>{a.checked&&=l.value===""}),a.addEventListener("click",()=>{l.value="",g()});let ae=()=>{if(a.checked)return{index:null};if(l.value.trim()==="")throw D(c,ls(e,r),l);return k(c)};return{node:ne(j,c),read:ae}}
function gd(e,t,n,r){let o=De({...e,blank:[0,1]},t,n),{words:s}=r;return o===null?s.tooNarrow:s.sentRange(oe(e,o,r))}
var ls=({line:e},{words:t})=>e.whole?t.typeWhole:t.typeOne;
N.typed=wr,ee.typed=({words:e})=>e.cutTyped;
