var ia={evidence:{question:[0],groups:[{first:/^(card|picture)$/,"text?":I},1]}};
function aa({evidence:e,questions:t}){let{groups:n,assigned:r}=t[e.question]??{};b(n&&r===void 0,"evidence.question"),b(e.groups.length===n.length,"evidence.groups")}
var xo=({form:{evidence:e,questions:t},draft:n})=>_n(t[e.question],n.draws(e.question));
function ca(e){let{evidence:t}=e.form;if(!t)return;let{groups:n,group:r}=xo(e);return r&&t.groups[n.indexOf(r)]}
var So=(e,t,n)=>r=>{let{first:o,text:s}=ca(r)??{},[i,...a]=(o==="card"?t:e)(r);return[i,...n&&s?G(r.speech.text(s)):[],...a]},
[Oo,Ao]=[pt.render,ae.render];
pt.render=So(Oo,Ao,!0),ae.render=So(Ao,Oo,!1);
function da({group:e,...t}){let{answers:n,reports:r,table:o}=t,s=u=>Object.fromEntries(Object.entries(u).map(([l,f])=>[l,e?f.slice(`${e.label[l]}: `.length):f])),i=o.rows.map(String),a=r.flatMap(({label:u,means:l},f)=>{let m=i[l[0]];return o.rows.some(k=>k[f])&&l.length===i.filter(k=>k===m).length&&l.every(k=>i[k]===m)?[{label:s(u),row:o.rows[l[0]]}]:[]});if(a.length<2)return{...t,group:e};let c=a.map(({row:u})=>u),d=a.map(({label:u},l)=>({...n[l],label:u}));return{...t,group:e,answers:d,table:{...o,rows:c}}}
function la(e,t){let{form:n,draft:r,speech:o}=t,s=da(xo(t)),[i]=ce(s,r.draws(n.evidence.question),o,p("div")).filter(({className:a})=>a==="odds");return e.map(a=>a.className==="odds"?i:a)}
var ua=e=>(t,n)=>e(t.map(r=>r.question!==void 0&&r.question===n.evidence?.question?{...r,screen:Dt(r.screen,la)}:r),n);
y({name:"evidence",shapes:ia,validate:aa,wrap:{arrangeSteps:ua}});
