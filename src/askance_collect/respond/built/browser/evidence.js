var ta={evidence:{question:[0],groups:[{first:/^(card|picture)$/,"text?":I},1]}};
function na({evidence:e,questions:t}){let{groups:n,assigned:r}=t[e.question]??{};b(n&&r===void 0,"evidence.question"),b(e.groups.length===n.length,"evidence.groups")}
var uo=({form:{evidence:e,questions:t},draft:n})=>Un(t[e.question],n.draws(e.question));
function ra(e){let{evidence:t}=e.form;if(!t)return;let{groups:n,group:r}=uo(e);return r&&t.groups[n.indexOf(r)]}
var fo=(e,t,n)=>r=>{let{first:o,text:s}=ra(r)??{},[i,...a]=(o==="card"?t:e)(r);return[i,...n&&s?G(r.speech.text(s)):[],...a]},
[po,mo]=[ft.render,ie.render];
ft.render=fo(po,mo,!0),ie.render=fo(mo,po,!1);
function oa({group:e,...t}){let{answers:n,reports:r,table:o}=t,s=u=>Object.fromEntries(Object.entries(u).map(([l,f])=>[l,e?f.slice(`${e.label[l]}: `.length):f])),i=o.rows.map(String),a=r.flatMap(({label:u,means:l},f)=>{let h=i[l[0]];return o.rows.some(k=>k[f])&&l.length===i.filter(k=>k===h).length&&l.every(k=>i[k]===h)?[{label:s(u),row:o.rows[l[0]]}]:[]});if(a.length<2)return{...t,group:e};let c=a.map(({row:u})=>u),d=a.map(({label:u},l)=>({...n[l],label:u}));return{...t,group:e,answers:d,table:{...o,rows:c}}}
function sa(e,t){let{form:n,draft:r,speech:o}=t,s=oa(uo(t)),[i]=ae(s,r.draws(n.evidence.question),o,p("div")).filter(({className:a})=>a==="odds");return e.map(a=>a.className==="odds"?i:a)}
var ia=e=>(t,n)=>e(t.map(r=>r.question!==void 0&&r.question===n.evidence?.question?{...r,screen:ye(r.screen,sa)}:r),n);
y({name:"evidence",shapes:ta,validate:na,wrap:{arrangeSteps:ia}});
