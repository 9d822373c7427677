var Ni=e=>/\p{Nd}/u.test(String.fromCodePoint(e));
function Ti(e){let t=e.codePointAt(0)??0,n=t;for(;Ni(n-1);)n-=1;return`${t-n}`}
var _t=e=>e.replace(/\p{No}/gu,"?").normalize("NFKC").replace(/\p{Cf}/gu,"").replace(/[\u2010-\u2015\u2212]/g,"-").replace(/\p{Nd}/gu,Ti);
