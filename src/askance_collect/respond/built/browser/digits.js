var _i=e=>/\p{Nd}/u.test(String.fromCodePoint(e));
function Ki(e){let t=e.codePointAt(0)??0,n=t;for(;_i(n-1);)n-=1;return`${t-n}`}
var zt=e=>e.replace(/\p{No}/gu,"?").normalize("NFKC").replace(/\p{Cf}/gu,"").replace(/[\u2010-\u2015\u2212]/g,"-").replace(/\p{Nd}/gu,Ki);
