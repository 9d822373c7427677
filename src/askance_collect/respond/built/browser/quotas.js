var cd=1e9;
function dd({quotas:e,questions:t}){p(E(e)&&e.length>0,"quotas"),e.forEach((n,r)=>p(n!==null&&ld(n,t),`quotas[${r}]`)),p(M(e.map(({question:n,answer:r})=>`${n} ${r}`)),"quotas")}
function ld({question:e,answer:t,most:n},r){if(!y(e,r.length)||!y(n,cd+1))return!1;let{kind:o,coin:s,answers:i}=r[e];return o==="choice"&&s===void 0&&y(t,i.length)&&n>0}
function ud({form:{quotas:e=[]},draft:t,state:{full:n}}){return!E(n)||t.isBound()?!1:e.some(({question:r,answer:o})=>n.some(i=>E(i)&&i[0]===r&&i[1]===o)&&t.answer(r)?.index===o)}
var fd=e=>(t,n)=>(t.by??0)<=0||!ud(n)?e(t,n):(n.forget(),{type:"end",ending:"full"});
k({name:"quotas",detect:({quotas:e})=>e!==void 0,validate:dd,wrap:{redirectMove:fd}});
