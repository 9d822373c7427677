var Cl={quotas:[{question:[0],answer:[0],most:[0,1e9]},1,P]};
function Rl({quotas:e,questions:t}){e.forEach(({question:n,answer:r},o)=>{let{kind:s,coin:i,answers:a}=t[n]??{};w(s==="choice"&&i===void 0&&r<a.length,`quotas[${o}]`)}),w(P(e.map(({question:n,answer:r})=>`${n} ${r}`)),"quotas")}
function jl({form:{quotas:e=[]},draft:t,state:{full:n}}){if(t.isBound())return;let r=({question:o,answer:s})=>de(n)&&n.some(i=>de(i)&&i[0]===o&&i[1]===s);return e.find(o=>t.answer(o.question)?.index===o.answer&&(o.most===0||r(o)))}
var vl=e=>(t,n)=>{let r=(t.by??0)>0&&jl(n);return r?(n.forget(),{type:"end",ending:r.most?"full":"screened"}):e(t,n)},
Bl=e=>(t,n)=>{let r=e(t,n),o=r.findIndex(({screen:a})=>a===fe),s=r.findIndex(({screen:a})=>a===q),i=Math.max(...r.slice(0,s).map(({question:a},c)=>n.quotas?.some(d=>d.question===a)?c:-1));return o>=0&&i>o&&r.splice(i,0,...r.splice(o,1)),r};
b({name:"quotas",shapes:Cl,validate:Rl,wrap:{redirectMove:vl,arrangeRoute:Bl}});
