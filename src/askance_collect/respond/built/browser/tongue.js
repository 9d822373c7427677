var Ss={},
fu={words:qt(j({checked:ue(!0,!1),words:qt(ue(ie,[ie,1],qt(ie)),/^[A-Za-z]{1,40}$/)}))};
function pu({words:e,languages:t,contact:n}){let r=Object.keys(e);b(r.every(o=>t.includes(o)),"words");for(let o of r)_[o]=mu(e[o].words,n[o].trim()==="")}
function mu(e,t){let n=Object.keys(_.en).map(r=>[r,t&&e[`${r}Alone`]||e[r]]);return Object.fromEntries(n.filter(([,r])=>r!==void 0).map(([r,o])=>[r,hu(r,o)]))}
function hu(e,t){let n=Ss[e]??[],r=JSON.stringify(t).replace(/\{(\w+)\}/g,(s,i)=>`{${n.indexOf(i)}}`),o=t.other===void 0?{}:{by:n.indexOf("count")};return typeof t=="string"?JSON.parse(r):Object.assign(JSON.parse(r),o)}
y({name:"words",shapes:fu,validate:pu});
var BLANKS=Ss;
