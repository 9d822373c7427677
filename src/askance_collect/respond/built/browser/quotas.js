var Ud={quotas:[{question:[0],answer:[0],most:[1,1e9]},1,v]};
function Wd({quotas:e,questions:t}){e.forEach(({question:n,answer:r},o)=>{let{kind:s,coin:i,answers:a}=t[n]??{};b(s==="choice"&&i===void 0&&r<a.length,`quotas[${o}]`)}),b(v(e.map(({question:n,answer:r})=>`${n} ${r}`)),"quotas")}
function Kd({form:{quotas:e=[]},draft:t,state:{full:n}}){return!Z(n)||t.isBound()?!1:e.some(({question:r,answer:o})=>n.some(i=>Z(i)&&i[0]===r&&i[1]===o)&&t.answer(r)?.index===o)}
var _d=e=>(t,n)=>(t.by??0)<=0||!Kd(n)?e(t,n):(n.forget(),{type:"end",ending:"full"});
y({name:"quotas",shapes:Ud,validate:Wd,wrap:{redirectMove:_d}});
