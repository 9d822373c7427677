var Es={},
yu={words:tn(v({checked:fe(!0,!1),words:tn(fe(ae,[ae,1],tn(ae)),/^[A-Za-z]{1,40}$/)}))};
function ku({words:e,languages:t,contact:n}){let r=Object.keys(e);w(r.every(o=>t.includes(o)),"words");for(let o of r)_[o]=xu(e[o].words,n[o].trim()==="")}
function xu(e,t){let n=Object.keys(_.en).map(r=>[r,t&&e[`${r}Alone`]||e[r]]);return Object.fromEntries(n.filter(([,r])=>r!==void 0).map(([r,o])=>[r,Su(r,o)]))}
function Su(e,t){let n=Es[e]??[],r=JSON.stringify(t).replace(/\{(\w+)\}/g,(s,i)=>`{${n.indexOf(i)}}`),o=t.other===void 0?{}:{by:n.indexOf("count")};return typeof t=="string"?JSON.parse(r):Object.assign(JSON.parse(r),o)}
k({name:"words",shapes:yu,validate:ku});
var BLANKS=Es;
