var _o={},
Cl=/^[A-Za-z]{1,40}$/;
function vl({words:e,languages:t,contact:n}){let r=Object.keys(e??{});p(r.length>0&&r.every(o=>t.includes(o)&&Rl(e[o])),"words");for(let o of r)G[o]=Bl(e[o].words,n[o].trim()==="")}
function Rl(e){let{checked:t,words:n}=e??{},r=Object.entries(n??{});return typeof t!="boolean"||Object.keys(e).length!==2||r.length===0?!1:r.every(([o,s])=>Cl.test(o)&&jl(s))}
function jl(e){let t=typeof e=="string"?[e]:e,n=Object.keys(t??{});return n.length>0&&R({...t},n)}
function Bl(e,t){let n=Object.keys(G.en).map(r=>[r,t&&e[`${r}Alone`]||e[r]]);return Object.fromEntries(n.filter(([,r])=>r!==void 0).map(([r,o])=>[r,Hl(r,o)]))}
function Hl(e,t){let n=_o[e]??[],r=JSON.stringify(t).replace(/\{(\w+)\}/g,(s,i)=>`{${n.indexOf(i)}}`),o=t.other===void 0?{}:{by:n.indexOf("count")};return typeof t=="string"?JSON.parse(r):Object.assign(JSON.parse(r),o)}
k({name:"words",detect:({words:e})=>e!==void 0,validate:vl});
var BLANKS=_o;
