var da={evidence:{question:[0],groups:[{first:/^(card|picture)$/,"text?":I},1]}};
function la({evidence:e,questions:t}){let{groups:n,assigned:r}=t[e.question]??{};w(n&&r===void 0,"evidence.question"),w(e.groups.length===n.length,"evidence.groups")}
var So=({form:{evidence:e,questions:t},draft:n})=>zn(t[e.question],n.draws(e.question));
function ua(e){let{evidence:t}=e.form;if(!t)return;let{groups:n,group:r}=So(e);return r&&t.groups[n.indexOf(r)]}
var Oo=(e,t,n)=>r=>{let{first:o,text:s}=ua(r)??{},[i,...a]=(o==="card"?t:e)(r);return[i,...n&&s?G(r.speech.text(s)):[],...a]},
[Ao,Eo]=[mt.render,ae.render];
mt.render=Oo(Ao,Eo,!0),ae.render=Oo(Eo,Ao,!1);
function fa({group:e,...t}){let{answers:n,reports:r,table:o}=t,s=u=>Object.fromEntries(Object.entries(u).map(([l,f])=>[l,e?f.slice(`${e.label[l]}: `.length):f])),i=o.rows.map(String),a=r.flatMap(({label:u,means:l},f)=>{let m=i[l[0]];return o.rows.some(y=>y[f])&&l.length===i.filter(y=>y===m).length&&l.every(y=>i[y]===m)?[{label:s(u),row:o.rows[l[0]]}]:[]});if(a.length<2)return{...t,group:e};let c=a.map(({row:u})=>u),d=a.map(({label:u},l)=>({...n[l],label:u}));return{...t,group:e,answers:d,table:{...o,rows:c}}}
function pa(e,t){let{form:n,draft:r,speech:o}=t,s=fa(So(t)),[i]=ce(s,r.draws(n.evidence.question),o,p("div")).filter(({className:a})=>a==="odds");return e.map(a=>a.className==="odds"?i:a)}
var ma=e=>(t,n)=>e(t.map(r=>r.question!==void 0&&r.question===n.evidence?.question?{...r,screen:Ge(r.screen,pa)}:r),n);
k({name:"evidence",shapes:da,validate:la,wrap:{arrangeSteps:ma}});
var ca={evidence:{question:[0],groups:[{first:/^(card|picture)$/,"text?":N},1]}};
function da({evidence:e,questions:t}){let{groups:n,assigned:r}=t[e.question]??{};b(n&&r===void 0,"evidence.question"),b(e.groups.length===n.length,"evidence.groups")}
var xo=({form:{evidence:e,questions:t},draft:n})=>Gn(t[e.question],n.draws(e.question));
function la(e){let{evidence:t}=e.form;if(!t)return;let{groups:n,group:r}=xo(e);return r&&t.groups[n.indexOf(r)]}
var So=(e,t,n)=>r=>{let{first:o,text:s}=la(r)??{},[i,...a]=(o==="card"?t:e)(r);return[i,...n&&s?G(r.speech.text(s)):[],...a]},
[Oo,Ao]=[pt.render,ae.render];
pt.render=So(Oo,Ao,!0),ae.render=So(Ao,Oo,!1);
function ua({group:e,...t}){let{answers:n,reports:r,table:o}=t,s=u=>Object.fromEntries(Object.entries(u).map(([l,f])=>[l,e?f.slice(`${e.label[l]}: `.length):f])),i=o.rows.map(String),a=r.flatMap(({label:u,means:l},f)=>{let p=i[l[0]];return o.rows.some(k=>k[f])&&l.length===i.filter(k=>k===p).length&&l.every(k=>i[k]===p)?[{label:s(u),row:o.rows[l[0]]}]:[]});if(a.length<2)return{...t,group:e};let c=a.map(({row:u})=>u),d=a.map(({label:u},l)=>({...n[l],label:u}));return{...t,group:e,answers:d,table:{...o,rows:c}}}
function fa(e,t){let{form:n,draft:r,speech:o}=t,s=ua(xo(t)),[i]=ce(s,r.draws(n.evidence.question),o,m("div")).filter(({className:a})=>a==="odds");return e.map(a=>a.className==="odds"?i:a)}
var pa=e=>(t,n)=>e(t.map(r=>r.question!==void 0&&r.question===n.evidence?.question?{...r,screen:Dt(r.screen,fa)}:r),n);
y({name:"evidence",shapes:ca,validate:da,wrap:{arrangeSteps:pa}});
