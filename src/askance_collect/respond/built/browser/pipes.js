var ss=/\{([a-z][a-z0-9_]{0,39})\|([^{}|]*)\}/g,
Dd=e=>Array.from(e.matchAll(ss),([,t])=>t),
Md=({piped:e})=>e!==void 0;
function Ud({questions:e,sections:t=[],checklists:n=[]}){let r=({kind:o,coin:s})=>["choice","number","text"].includes(o)&&s===void 0;e.forEach(({piped:o,text:s},i)=>{if(o===void 0)return;let{at:a=0,order:c}=t.filter(l=>l.at<=i).at(-1)??{},d=l=>{let f=e.findIndex(m=>m.name===l);return f>=0&&f<i&&r(e[f])&&!(c&&a<=f)};w(!n.some(l=>i>=l.at&&i<l.at+l.items.length),`questions[${i}].text`);let u=Object.values(s).map(Dd);w(u.every(l=>l.length>0&&l.every(d)),`questions[${i}].piped`)})}
function Wd(e,t){let n=({kind:s,answers:i,line:a},{index:c,typed:d},u)=>s==="choice"?i[c].label[u]:s==="text"?c:L.numberLabel(a,d,Fe(u)),r=(s,i)=>s.replace(ss,(a,c,d)=>{let u=e.questions.findIndex(l=>l.name===c);return(t(u)?.index??null)===null?d:n(e.questions[u],t(u),i)}),o=e.questions.map(s=>s.piped?{...s,text:Object.fromEntries(Object.entries(s.text).map(([i,a])=>[i,r(a,i)]))}:s);return{...e,questions:o}}
function Kd(e,{question:t},{draft:n}){return document.documentElement.translate=!1,Wd(e,t===void 0?()=>{}:n.answer)}
k({name:"pipes",detect:({questions:e})=>e.some(Md),validate:Ud,wrap:{resolveForm:()=>Kd}});
var rs=/\{([a-z][a-z0-9_]{0,39})\|([^{}|]*)\}/g,
Pd=e=>Array.from(e.matchAll(rs),([,t])=>t),
Fd=({piped:e})=>e!==void 0;
function Dd({questions:e,sections:t=[],checklists:n=[]}){let r=({kind:o,coin:s})=>["choice","number","text"].includes(o)&&s===void 0;e.forEach(({piped:o,text:s},i)=>{if(o===void 0)return;let{at:a=0,order:c}=t.filter(l=>l.at<=i).at(-1)??{},d=l=>{let f=e.findIndex(p=>p.name===l);return f>=0&&f<i&&r(e[f])&&!(c&&a<=f)};b(!n.some(l=>i>=l.at&&i<l.at+l.items.length),`questions[${i}].text`);let u=Object.values(s).map(Pd);b(u.every(l=>l.length>0&&l.every(d)),`questions[${i}].piped`)})}
function Ud(e,t){let n=({kind:s,answers:i,line:a},{index:c,typed:d},u)=>s==="choice"?i[c].label[u]:s==="text"?c:L.numberLabel(a,d,Pe(u)),r=(s,i)=>s.replace(rs,(a,c,d)=>{let u=e.questions.findIndex(l=>l.name===c);return(t(u)?.index??null)===null?d:n(e.questions[u],t(u),i)}),o=e.questions.map(s=>s.piped?{...s,text:Object.fromEntries(Object.entries(s.text).map(([i,a])=>[i,r(a,i)]))}:s);return{...e,questions:o}}
function Md(e,{question:t},{draft:n}){return document.documentElement.translate=!1,Ud(e,t===void 0?()=>{}:n.answer)}
y({name:"pipes",detect:({questions:e})=>e.some(Fd),validate:Dd,wrap:{resolveForm:()=>Md}});
