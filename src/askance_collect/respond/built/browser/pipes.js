var xs=/\{([a-z][a-z0-9_]{0,39})\|([^{}|]*)\}/g,
Tl=e=>Array.from(e.matchAll(xs),([,t])=>t),
Nl=({piped:e})=>e!==void 0;
function Ll({questions:e,sections:t=[],checklists:n=[]}){let r=({kind:o,coin:s})=>["choice","number","text"].includes(o)&&s===void 0;e.forEach(({piped:o,text:s},i)=>{if(o===void 0)return;let{at:a=0,order:c}=t.filter(l=>l.at<=i).at(-1)??{},d=l=>{let f=e.findIndex(m=>m.name===l);return f>=0&&f<i&&r(e[f])&&!(c&&a<=f)};w(!n.some(l=>i>=l.at&&i<l.at+l.items.length),`questions[${i}].text`);let u=Object.values(s).map(Tl);w(u.every(l=>l.length>0&&l.every(d)),`questions[${i}].piped`)})}
function Il(e,t){let n=({kind:s,answers:i,line:a},{index:c,typed:d},u)=>s==="choice"?i[c].label[u]:s==="text"?c:N.numberLabel(a,d,Ue(u)),r=(s,i)=>s.replace(xs,(a,c,d)=>{let u=e.questions.findIndex(l=>l.name===c);return(t(u)?.index??null)===null?d:n(e.questions[u],t(u),i)}),o=e.questions.map(s=>s.piped?{...s,text:Object.fromEntries(Object.entries(s.text).map(([i,a])=>[i,r(a,i)]))}:s);return{...e,questions:o}}
function $l(e,{question:t},{draft:n}){return document.documentElement.translate=!1,Il(e,t===void 0?()=>{}:n.answer)}
b({name:"pipes",detect:({questions:e})=>e.some(Nl),validate:Ll,wrap:{resolveForm:()=>$l}});
