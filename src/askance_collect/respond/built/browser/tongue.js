var Fs={},
Qu={words:an(v({checked:he(!0,!1),words:an(he(le,[le,1],an(le)),/^[A-Za-z]{1,40}$/)}))};
function Ju({words:e,languages:t,contact:n}){let r=Object.keys(e);w(r.every(o=>t.includes(o)),"words");for(let o of r)z[o]=Zu(e[o].words,n[o].trim()==="")}
function Zu(e,t){let n=Object.keys(z.en).map(r=>[r,t&&e[`${r}Alone`]||e[r]]);return Object.fromEntries(n.filter(([,r])=>r!==void 0).map(([r,o])=>[r,Xu(r,o)]))}
function Xu(e,t){let n=Fs[e]??[],r=JSON.stringify(t).replace(/\{(\w+)\}/g,(s,i)=>`{${n.indexOf(i)}}`),o=t.other===void 0?{}:{by:n.indexOf("count")};return typeof t=="string"?JSON.parse(r):Object.assign(JSON.parse(r),o)}
b({name:"words",shapes:Qu,validate:Ju});
var BLANKS=Fs;
