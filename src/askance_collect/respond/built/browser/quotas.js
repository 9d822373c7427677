var Pd={quotas:[{question:[0],answer:[0],most:[1,1e9]},1,j]};
function Dd({quotas:e,questions:t}){e.forEach(({question:n,answer:r},o)=>{let{kind:s,coin:i,answers:a}=t[n]??{};b(s==="choice"&&i===void 0&&r<a.length,`quotas[${o}]`)}),b(j(e.map(({question:n,answer:r})=>`${n} ${r}`)),"quotas")}
function Md({form:{quotas:e=[]},draft:t,state:{full:n}}){return!Z(n)||t.isBound()?!1:e.some(({question:r,answer:o})=>n.some(i=>Z(i)&&i[0]===r&&i[1]===o)&&t.answer(r)?.index===o)}
var Fd=e=>(t,n)=>(t.by??0)<=0||!Md(n)?e(t,n):(n.forget(),{type:"end",ending:"full"});
y({name:"quotas",shapes:Pd,validate:Dd,wrap:{redirectMove:Fd}});
