var WORDS_OF={},
NAMES={};
function wordsIn(e,i,l,u){const m=new Intl.PluralRules(i,{maximumFractionDigits:6}),o=n=>typeof n=="number"?l(n):n,s=(n,r)=>n.replace(/\{(\d)\}/g,(c,t)=>o(r[t])),f=(n,r)=>n[m.select(u(o(r)))]??n.other,h=n=>n.other?(...r)=>s(f(n,r[n.by]),r):/\{\d\}/.test(n)?(...r)=>s(n,r):n;return Object.fromEntries(Object.entries(WORDS_OF.en).map(([n,r],c)=>[n,h(e[n]??e[c]??r)]))}
