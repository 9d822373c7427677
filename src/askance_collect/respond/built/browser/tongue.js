var Do={},
El=/^[A-Za-z]{1,40}$/;
function Tl({words:e,languages:t,contact:n}){let r=Object.keys(e??{});p(r.length>0&&r.every(o=>t.includes(o)&&$l(e[o])),"words");for(let o of r)K[o]=Il(e[o].words,n[o].trim()==="")}
function $l(e){let{checked:t,words:n}=e??{},r=Object.entries(n??{});return typeof t!="boolean"||Object.keys(e).length!==2||r.length===0?!1:r.every(([o,s])=>El.test(o)&&Ll(s))}
function Ll(e){let t=typeof e=="string"?[e]:e,n=Object.keys(t??{});return n.length>0&&R({...t},n)}
function Il(e,t){let n=Object.keys(K.en).map(r=>[r,t&&e[`${r}Alone`]||e[r]]);return Object.fromEntries(n.filter(([,r])=>r!==void 0).map(([r,o])=>[r,Nl(r,o)]))}
function Nl(e,t){let n=Do[e]??[],r=JSON.stringify(t).replace(/\{(\w+)\}/g,(s,i)=>`{${n.indexOf(i)}}`),o=t.other===void 0?{}:{by:n.indexOf("count")};return typeof t=="string"?JSON.parse(r):Object.assign(JSON.parse(r),o)}
k({name:"words",detect:({words:e})=>e!==void 0,validate:Tl});
var BLANKS=Do;
