var isDigit=e=>/\p{Nd}/u.test(String.fromCodePoint(e));
function digitOf(e){const r=e.codePointAt(0)??0;let i=r;for(;isDigit(i-1);)i-=1;return`${r-i}`}
var inAscii=e=>e.replace(/\p{No}/gu,"?").normalize("NFKC").replace(/\p{Cf}/gu,"").replace(/[\u2010-\u2015\u2212]/g,"-").replace(/\p{Nd}/gu,digitOf);
