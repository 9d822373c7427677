function Hi({evidence:e,questions:t,languages:n}){let r=e?.question,{groups:o,assigned:s}=y(r,t.length)?t[r]:t[0];p(y(r,t.length)&&o&&s===void 0,"evidence.question"),p(A(e.groups)&&e.groups.length===o.length,"evidence.groups"),e.groups.forEach((i,a)=>{p(["card","picture"].includes(i?.first),`evidence.groups[${a}].first`),p(!Object.hasOwn(i,"text")||R(i.text,n),"evidence")})}
var Vr=({form:{evidence:e,questions:t},draft:n})=>Tn(t[e.question],n.draws(e.question));
function Pi(e){let{evidence:t}=e.form;if(!t)return;let{groups:n,group:r}=Vr(e);return r&&t.groups[n.indexOf(r)]}
var Qr=(e,t,n)=>r=>{let{first:o,text:s}=Pi(r)??{},[i,...a]=(o==="card"?t:e)(r);return[i,...n&&s?z(r.speech.text(s)):[],...a]},
[Jr,Zr]=[it.render,se.render];
it.render=Qr(Jr,Zr,!0),se.render=Qr(Zr,Jr,!1);
function Mi({group:e,...t}){let{answers:n,reports:r,table:o}=t,s=u=>Object.fromEntries(Object.entries(u).map(([l,f])=>[l,e?f.slice(`${e.label[l]}: `.length):f])),i=o.rows.map(String),a=r.flatMap(({label:u,means:l},f)=>{let g=i[l[0]];return o.rows.some(S=>S[f])&&l.length===i.filter(S=>S===g).length&&l.every(S=>i[S]===g)?[{label:s(u),row:o.rows[l[0]]}]:[]});if(a.length<2)return{...t,group:e};let c=a.map(({row:u})=>u),d=a.map(({label:u},l)=>({...n[l],label:u}));return{...t,group:e,answers:d,table:{...o,rows:c}}}
function Di(e,t){let{form:n,draft:r,speech:o}=t,s=Mi(Vr(t)),[i]=ie(s,r.draws(n.evidence.question),o,m("div")).filter(({className:a})=>a==="odds");return e.map(a=>a.className==="odds"?i:a)}
var Ui=e=>(t,n)=>e(t.map(r=>r.question!==void 0&&r.question===n.evidence?.question?{...r,screen:he(r.screen,Di)}:r),n);
k({name:"evidence",detect:({evidence:e})=>e!==void 0,validate:Hi,wrap:{arrangeSteps:Ui}});
