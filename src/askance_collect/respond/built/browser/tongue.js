var Ws={},
sf={words:an(B({checked:ge(!0,!1),words:an(ge(le,[le,1],an(le)),/^[A-Za-z]{1,40}$/)}))};
function af({words:e,languages:t,contact:n}){let r=Object.keys(e);w(r.every(o=>t.includes(o)),"words");for(let o of r)z[o]=cf(e[o].words,n[o].trim()==="")}
function cf(e,t){let n=Object.keys(z.en).map(r=>[r,t&&e[`${r}Alone`]||e[r]]);return Object.fromEntries(n.filter(([,r])=>r!==void 0).map(([r,o])=>[r,df(r,o)]))}
function df(e,t){let n=Ws[e]??[],r=JSON.stringify(t).replace(/\{(\w+)\}/g,(s,i)=>`{${n.indexOf(i)}}`),o=t.other===void 0?{}:{by:n.indexOf("count")};return typeof t=="string"?JSON.parse(r):Object.assign(JSON.parse(r),o)}
b({name:"words",shapes:sf,validate:af});
var BLANKS=Ws;
