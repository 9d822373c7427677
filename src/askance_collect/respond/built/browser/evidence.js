var Ia={evidence:{question:[0],groups:[{first:/^(card|picture)$/,"text?":O},1]}};
function $a({evidence:e,questions:t}){let{groups:n,assigned:r}=t[e.question]??{};w(n&&r===void 0,"evidence.question"),w(e.groups.length===n.length,"evidence.groups")}
var $o=({form:{evidence:e,questions:t},draft:n})=>qn(t[e.question],n.draws(e.question));
function Ca(e){let{evidence:t}=e.form;if(!t)return;let{groups:n,group:r}=$o(e);return r&&t.groups[n.indexOf(r)]}
var Co=(e,t,n)=>r=>{let{first:o,text:s}=Ca(r)??{},[i,...a]=(o==="card"?t:e)(r);return[i,...n&&s?K(r.speech.text(s)):[],...a]},
[Ro,jo]=[fe.render,q.render];
fe.render=Co(Ro,jo,!0),q.render=Co(jo,Ro,!1);
function Ra({group:e,...t}){let{answers:n,reports:r,table:o}=t,s=u=>Object.fromEntries(Object.entries(u).map(([l,f])=>[l,e?f.slice(`${e.label[l]}: `.length):f])),i=o.rows.map(String),a=r.flatMap(({label:u,means:l},f)=>{let m=i[l[0]];return o.rows.some(k=>k[f])&&l.length===i.filter(k=>k===m).length&&l.every(k=>i[k]===m)?[{label:s(u),row:o.rows[l[0]]}]:[]});if(a.length<2)return{...t,group:e};let c=a.map(({row:u})=>u),d=a.map(({label:u},l)=>({...n[l],label:u}));return{...t,group:e,answers:d,table:{...o,rows:c}}}
function ja(e,t){let{form:n,draft:r,speech:o}=t,s=Ra($o(t)),[i]=pe(s,r.draws(n.evidence.question),o,p("div")).filter(({className:a})=>a==="odds");return e.map(a=>a.className==="odds"?i:a)}
var va=e=>(t,n)=>e(t.map(r=>r.question!==void 0&&r.question===n.evidence?.question?{...r,screen:Je(r.screen,ja)}:r),n);
b({name:"evidence",shapes:Ia,validate:$a,wrap:{arrangeSteps:va}});
