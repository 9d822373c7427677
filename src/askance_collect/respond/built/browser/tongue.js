var Qo={},
Ul=/^[A-Za-z]{1,40}$/;
function Fl({words:e,languages:t,contact:n}){let r=Object.keys(e??{});p(r.length>0&&r.every(o=>t.includes(o)&&Wl(e[o])),"words");for(let o of r)G[o]=Kl(e[o].words,n[o].trim()==="")}
function Wl(e){let{checked:t,words:n}=e??{},r=Object.entries(n??{});return typeof t!="boolean"||Object.keys(e).length!==2||r.length===0?!1:r.every(([o,s])=>Ul.test(o)&&_l(s))}
function _l(e){let t=typeof e=="string"?[e]:e,n=Object.keys(t??{});return n.length>0&&R({...t},n)}
function Kl(e,t){let n=Object.keys(G.en).map(r=>[r,t&&e[`${r}Alone`]||e[r]]);return Object.fromEntries(n.filter(([,r])=>r!==void 0).map(([r,o])=>[r,Gl(r,o)]))}
function Gl(e,t){let n=Qo[e]??[],r=JSON.stringify(t).replace(/\{(\w+)\}/g,(s,i)=>`{${n.indexOf(i)}}`),o=t.other===void 0?{}:{by:n.indexOf("count")};return typeof t=="string"?JSON.parse(r):Object.assign(JSON.parse(r),o)}
k({name:"words",detect:({words:e})=>e!==void 0,validate:Fl});
var BLANKS=Qo;
var is={},
Kl={words:Yt(B({checked:ce(!0,!1),words:Yt(ce(se,[se,1],Yt(se)),/^[A-Za-z]{1,40}$/)}))};
function _l({words:e,languages:t,contact:n}){let r=Object.keys(e);b(r.every(o=>t.includes(o)),"words");for(let o of r)_[o]=Gl(e[o].words,n[o].trim()==="")}
function Gl(e,t){let n=Object.keys(_.en).map(r=>[r,t&&e[`${r}Alone`]||e[r]]);return Object.fromEntries(n.filter(([,r])=>r!==void 0).map(([r,o])=>[r,zl(r,o)]))}
function zl(e,t){let n=is[e]??[],r=JSON.stringify(t).replace(/\{(\w+)\}/g,(s,i)=>`{${n.indexOf(i)}}`),o=t.other===void 0?{}:{by:n.indexOf("count")};return typeof t=="string"?JSON.parse(r):Object.assign(JSON.parse(r),o)}
y({name:"words",shapes:Kl,validate:_l});
var BLANKS=is;
