var Es={},
gu={words:tn(B({checked:ue(!0,!1),words:tn(ue(ie,[ie,1],tn(ie)),/^[A-Za-z]{1,40}$/)}))};
function wu({words:e,languages:t,contact:n}){let r=Object.keys(e);w(r.every(o=>t.includes(o)),"words");for(let o of r)_[o]=bu(e[o].words,n[o].trim()==="")}
function bu(e,t){let n=Object.keys(_.en).map(r=>[r,t&&e[`${r}Alone`]||e[r]]);return Object.fromEntries(n.filter(([,r])=>r!==void 0).map(([r,o])=>[r,yu(r,o)]))}
function yu(e,t){let n=Es[e]??[],r=JSON.stringify(t).replace(/\{(\w+)\}/g,(s,i)=>`{${n.indexOf(i)}}`),o=t.other===void 0?{}:{by:n.indexOf("count")};return typeof t=="string"?JSON.parse(r):Object.assign(JSON.parse(r),o)}
k({name:"words",shapes:gu,validate:wu});
var BLANKS=Es;
var Ss={},
mu={words:qt(j({checked:fe(!0,!1),words:qt(fe(ie,[ie,1],qt(ie)),/^[A-Za-z]{1,40}$/)}))};
function hu({words:e,languages:t,contact:n}){let r=Object.keys(e);b(r.every(o=>t.includes(o)),"words");for(let o of r)_[o]=gu(e[o].words,n[o].trim()==="")}
function gu(e,t){let n=Object.keys(_.en).map(r=>[r,t&&e[`${r}Alone`]||e[r]]);return Object.fromEntries(n.filter(([,r])=>r!==void 0).map(([r,o])=>[r,wu(r,o)]))}
function wu(e,t){let n=Ss[e]??[],r=JSON.stringify(t).replace(/\{(\w+)\}/g,(s,i)=>`{${n.indexOf(i)}}`),o=t.other===void 0?{}:{by:n.indexOf("count")};return typeof t=="string"?JSON.parse(r):Object.assign(JSON.parse(r),o)}
y({name:"words",shapes:mu,validate:hu});
var BLANKS=Ss;
