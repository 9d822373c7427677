var Od=1e9;
function Ad({quotas:e,questions:t}){p(A(e)&&e.length>0,"quotas"),e.forEach((n,r)=>p(n!==null&&Ed(n,t),`quotas[${r}]`)),p(M(e.map(({question:n,answer:r})=>`${n} ${r}`)),"quotas")}
function Ed({question:e,answer:t,most:n},r){if(!y(e,r.length)||!y(n,Od+1))return!1;let{kind:o,coin:s,answers:i}=r[e];return o==="choice"&&s===void 0&&y(t,i.length)&&n>0}
function Td({form:{quotas:e=[]},draft:t,state:{full:n}}){return!A(n)||t.isBound()?!1:e.some(({question:r,answer:o})=>n.some(i=>A(i)&&i[0]===r&&i[1]===o)&&t.answer(r)?.index===o)}
var $d=e=>(t,n)=>(t.by??0)<=0||!Td(n)?e(t,n):(n.forget(),{type:"end",ending:"full"});
k({name:"quotas",detect:({quotas:e})=>e!==void 0,validate:Ad,wrap:{redirectMove:$d}});
var Td={quotas:[{question:[0],answer:[0],most:[1,1e9]},1,j]};
function Ld({quotas:e,questions:t}){e.forEach(({question:n,answer:r},o)=>{let{kind:s,coin:i,answers:a}=t[n]??{};b(s==="choice"&&i===void 0&&r<a.length,`quotas[${o}]`)}),b(j(e.map(({question:n,answer:r})=>`${n} ${r}`)),"quotas")}
function Id({form:{quotas:e=[]},draft:t,state:{full:n}}){return!J(n)||t.isBound()?!1:e.some(({question:r,answer:o})=>n.some(i=>J(i)&&i[0]===r&&i[1]===o)&&t.answer(r)?.index===o)}
var Cd=e=>(t,n)=>(t.by??0)<=0||!Id(n)?e(t,n):(n.forget(),{type:"end",ending:"full"});
y({name:"quotas",shapes:Td,validate:Ld,wrap:{redirectMove:Cd}});
