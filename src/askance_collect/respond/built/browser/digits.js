var Ws=e=>/\p{Nd}/u.test(String.fromCodePoint(e));
function _s(e){let t=e.codePointAt(0)??0,n=t;for(;Ws(n-1);)n-=1;return`${t-n}`}
var Rt=e=>e.replace(/\p{No}/gu,"?").normalize("NFKC").replace(/\p{Cf}/gu,"").replace(/[\u2010-\u2015\u2212]/g,"-").replace(/\p{Nd}/gu,_s);
var oi=e=>/\p{Nd}/u.test(String.fromCodePoint(e));
function si(e){let t=e.codePointAt(0)??0,n=t;for(;oi(n-1);)n-=1;return`${t-n}`}
var Mt=e=>e.replace(/\p{No}/gu,"?").normalize("NFKC").replace(/\p{Cf}/gu,"").replace(/[\u2010-\u2015\u2212]/g,"-").replace(/\p{Nd}/gu,si);
