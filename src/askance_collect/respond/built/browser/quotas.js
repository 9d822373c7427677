var Qd={quotas:[{question:[0],answer:[0],most:[1,1e9]},1,j]};
function Jd({quotas:e,questions:t}){e.forEach(({question:n,answer:r},o)=>{let{kind:s,coin:i,answers:a}=t[n]??{};w(s==="choice"&&i===void 0&&r<a.length,`quotas[${o}]`)}),w(j(e.map(({question:n,answer:r})=>`${n} ${r}`)),"quotas")}
function Zd({form:{quotas:e=[]},draft:t,state:{full:n}}){return!oe(n)||t.isBound()?!1:e.some(({question:r,answer:o})=>n.some(i=>oe(i)&&i[0]===r&&i[1]===o)&&t.answer(r)?.index===o)}
var Xd=e=>(t,n)=>(t.by??0)<=0||!Zd(n)?e(t,n):(n.forget(),{type:"end",ending:"full"});
k({name:"quotas",shapes:Qd,validate:Jd,wrap:{redirectMove:Xd}});
var zd={quotas:[{question:[0],answer:[0],most:[1,1e9]},1,v]};
function Vd({quotas:e,questions:t}){e.forEach(({question:n,answer:r},o)=>{let{kind:s,coin:i,answers:a}=t[n]??{};b(s==="choice"&&i===void 0&&r<a.length,`quotas[${o}]`)}),b(v(e.map(({question:n,answer:r})=>`${n} ${r}`)),"quotas")}
function Qd({form:{quotas:e=[]},draft:t,state:{full:n}}){return!oe(n)||t.isBound()?!1:e.some(({question:r,answer:o})=>n.some(i=>oe(i)&&i[0]===r&&i[1]===o)&&t.answer(r)?.index===o)}
var Jd=e=>(t,n)=>(t.by??0)<=0||!Qd(n)?e(t,n):(n.forget(),{type:"end",ending:"full"});
y({name:"quotas",shapes:zd,validate:Vd,wrap:{redirectMove:Jd}});
