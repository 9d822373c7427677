var Ts={},
Cu={words:on(j({checked:pe(!0,!1),words:on(pe(ce,[ce,1],on(ce)),/^[A-Za-z]{1,40}$/)}))};
function Ru({words:e,languages:t,contact:n}){let r=Object.keys(e);w(r.every(o=>t.includes(o)),"words");for(let o of r)G[o]=vu(e[o].words,n[o].trim()==="")}
function vu(e,t){let n=Object.keys(G.en).map(r=>[r,t&&e[`${r}Alone`]||e[r]]);return Object.fromEntries(n.filter(([,r])=>r!==void 0).map(([r,o])=>[r,ju(r,o)]))}
function ju(e,t){let n=Ts[e]??[],r=JSON.stringify(t).replace(/\{(\w+)\}/g,(s,i)=>`{${n.indexOf(i)}}`),o=t.other===void 0?{}:{by:n.indexOf("count")};return typeof t=="string"?JSON.parse(r):Object.assign(JSON.parse(r),o)}
b({name:"words",shapes:Cu,validate:Ru});
var BLANKS=Ts;
