var Zd={quotas:[{question:[0],answer:[0],most:[1,1e9]},1,j]};
function Xd({quotas:e,questions:t}){e.forEach(({question:n,answer:r},o)=>{let{kind:s,coin:i,answers:a}=t[n]??{};w(s==="choice"&&i===void 0&&r<a.length,`quotas[${o}]`)}),w(j(e.map(({question:n,answer:r})=>`${n} ${r}`)),"quotas")}
function Yd({form:{quotas:e=[]},draft:t,state:{full:n}}){return!oe(n)||t.isBound()?!1:e.some(({question:r,answer:o})=>n.some(i=>oe(i)&&i[0]===r&&i[1]===o)&&t.answer(r)?.index===o)}
var qd=e=>(t,n)=>(t.by??0)<=0||!Yd(n)?e(t,n):(n.forget(),{type:"end",ending:"full"});
k({name:"quotas",shapes:Zd,validate:Xd,wrap:{redirectMove:qd}});
