var ra={evidence:{question:[0],groups:[{first:/^(card|picture)$/,"text?":I},1]}};
function oa({evidence:e,questions:t}){let{groups:n,assigned:r}=t[e.question]??{};b(n&&r===void 0,"evidence.question"),b(e.groups.length===n.length,"evidence.groups")}
var bo=({form:{evidence:e,questions:t},draft:n})=>_n(t[e.question],n.draws(e.question));
function sa(e){let{evidence:t}=e.form;if(!t)return;let{groups:n,group:r}=bo(e);return r&&t.groups[n.indexOf(r)]}
var yo=(e,t,n)=>r=>{let{first:o,text:s}=sa(r)??{},[i,...a]=(o==="card"?t:e)(r);return[i,...n&&s?G(r.speech.text(s)):[],...a]},
[ko,xo]=[pt.render,ae.render];
pt.render=yo(ko,xo,!0),ae.render=yo(xo,ko,!1);
function ia({group:e,...t}){let{answers:n,reports:r,table:o}=t,s=u=>Object.fromEntries(Object.entries(u).map(([l,f])=>[l,e?f.slice(`${e.label[l]}: `.length):f])),i=o.rows.map(String),a=r.flatMap(({label:u,means:l},f)=>{let m=i[l[0]];return o.rows.some(k=>k[f])&&l.length===i.filter(k=>k===m).length&&l.every(k=>i[k]===m)?[{label:s(u),row:o.rows[l[0]]}]:[]});if(a.length<2)return{...t,group:e};let c=a.map(({row:u})=>u),d=a.map(({label:u},l)=>({...n[l],label:u}));return{...t,group:e,answers:d,table:{...o,rows:c}}}
function aa(e,t){let{form:n,draft:r,speech:o}=t,s=ia(bo(t)),[i]=ce(s,r.draws(n.evidence.question),o,p("div")).filter(({className:a})=>a==="odds");return e.map(a=>a.className==="odds"?i:a)}
var ca=e=>(t,n)=>e(t.map(r=>r.question!==void 0&&r.question===n.evidence?.question?{...r,screen:Dt(r.screen,aa)}:r),n);
y({name:"evidence",shapes:ra,validate:oa,wrap:{arrangeSteps:ca}});
