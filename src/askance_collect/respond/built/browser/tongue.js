var us={},
ql={words:qt(v({checked:le(!0,!1),words:qt(le(se,[se,1],qt(se)),/^[A-Za-z]{1,40}$/)}))};
function eu({words:e,languages:t,contact:n}){let r=Object.keys(e);b(r.every(o=>t.includes(o)),"words");for(let o of r)_[o]=tu(e[o].words,n[o].trim()==="")}
function tu(e,t){let n=Object.keys(_.en).map(r=>[r,t&&e[`${r}Alone`]||e[r]]);return Object.fromEntries(n.filter(([,r])=>r!==void 0).map(([r,o])=>[r,nu(r,o)]))}
function nu(e,t){let n=us[e]??[],r=JSON.stringify(t).replace(/\{(\w+)\}/g,(s,i)=>`{${n.indexOf(i)}}`),o=t.other===void 0?{}:{by:n.indexOf("count")};return typeof t=="string"?JSON.parse(r):Object.assign(JSON.parse(r),o)}
y({name:"words",shapes:ql,validate:eu});
var BLANKS=us;
