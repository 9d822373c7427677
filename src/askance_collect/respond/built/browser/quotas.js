var _d={quotas:[{question:[0],answer:[0],most:[1,1e9]},1,v]};
function Gd({quotas:e,questions:t}){e.forEach(({question:n,answer:r},o)=>{let{kind:s,coin:i,answers:a}=t[n]??{};b(s==="choice"&&i===void 0&&r<a.length,`quotas[${o}]`)}),b(v(e.map(({question:n,answer:r})=>`${n} ${r}`)),"quotas")}
function zd({form:{quotas:e=[]},draft:t,state:{full:n}}){return!oe(n)||t.isBound()?!1:e.some(({question:r,answer:o})=>n.some(i=>oe(i)&&i[0]===r&&i[1]===o)&&t.answer(r)?.index===o)}
var Vd=e=>(t,n)=>(t.by??0)<=0||!zd(n)?e(t,n):(n.forget(),{type:"end",ending:"full"});
y({name:"quotas",shapes:_d,validate:Gd,wrap:{redirectMove:Vd}});
