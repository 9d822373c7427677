var _s={},
uf={words:dn(R({checked:ge(!0,!1),words:dn(ge(ue,[ue,1],dn(ue)),/^[A-Za-z]{1,40}$/)}))};
function ff({words:e,languages:t,contact:n}){let r=Object.keys(e);w(r.every(o=>t.includes(o)),"words");for(let o of r)V[o]=pf(e[o].words,n[o].trim()==="")}
function pf(e,t){let n=Object.keys(V.en).map(r=>[r,t&&e[`${r}Alone`]||e[r]]);return Object.fromEntries(n.filter(([,r])=>r!==void 0).map(([r,o])=>[r,mf(r,o)]))}
function mf(e,t){let n=_s[e]??[],r=JSON.stringify(t).replace(/\{(\w+)\}/g,(s,i)=>`{${n.indexOf(i)}}`),o=t.other===void 0?{}:{by:n.indexOf("count")};return typeof t=="string"?JSON.parse(r):Object.assign(JSON.parse(r),o)}
b({name:"words",shapes:uf,validate:ff});
var BLANKS=_s;
