var Es={},
Su={words:tn(j({checked:fe(!0,!1),words:tn(fe(ae,[ae,1],tn(ae)),/^[A-Za-z]{1,40}$/)}))};
function Ou({words:e,languages:t,contact:n}){let r=Object.keys(e);w(r.every(o=>t.includes(o)),"words");for(let o of r)_[o]=Au(e[o].words,n[o].trim()==="")}
function Au(e,t){let n=Object.keys(_.en).map(r=>[r,t&&e[`${r}Alone`]||e[r]]);return Object.fromEntries(n.filter(([,r])=>r!==void 0).map(([r,o])=>[r,Eu(r,o)]))}
function Eu(e,t){let n=Es[e]??[],r=JSON.stringify(t).replace(/\{(\w+)\}/g,(s,i)=>`{${n.indexOf(i)}}`),o=t.other===void 0?{}:{by:n.indexOf("count")};return typeof t=="string"?JSON.parse(r):Object.assign(JSON.parse(r),o)}
y({name:"words",shapes:Su,validate:Ou});
var BLANKS=Es;
