var V={},
lt={};
function Ht(e,t,n,r){let o=new Intl.PluralRules(t,{maximumFractionDigits:6}),s=d=>typeof d=="number"?n(d):d,i=(d,u)=>d.replace(/\{(\d)\}/g,(l,f)=>s(u[f])),a=(d,u)=>d[o.select(r(s(u)))]??d.other,c=d=>d.other?(...u)=>i(a(d,u[d.by]),u):/\{\d\}/.test(d)?(...u)=>i(d,u):d;return Object.fromEntries(Object.entries(V.en).map(([d,u],l)=>[d,c(e[d]??e[l]??u)]))}
var WORDS_OF=V;
var NAMES=lt;
