var PIPE=/\{([a-z][a-z0-9_]{0,39})\|([^{}|]*)\}/g,
namesIn=e=>Array.from(e.matchAll(PIPE),([,s])=>s),
isPiped=({piped:e})=>e!==void 0;
function validatePipes({questions:e,sections:s=[],checklists:c=[]}){const m=({kind:i,coin:t})=>["choice","number","text"].includes(i)&&t===void 0;e.forEach(({piped:i,text:t},n)=>{if(i===void 0)return;const{at:o=0,order:l}=s.filter(r=>r.at<=n).at(-1)??{},u=r=>{const d=e.findIndex(f=>f.name===r);return d>=0&&d<n&&m(e[d])&&!(l&&o<=d)};assert(!c.some(r=>n>=r.at&&n<r.at+r.items.length),`questions[${n}].text`);const a=Object.values(t).map(namesIn);assert(i===!0&&a.every(r=>r.length>0&&r.every(u)),`questions[${n}].piped`)})}
function fillForm(e,s){const c=({kind:t,answers:n,line:o},{index:l,typed:u},a)=>t==="choice"?n[l].label[a]:t==="text"?l:fieldTypes.numberLabel(o,u,speak(a)),m=(t,n)=>t.replace(PIPE,(o,l,u)=>{const a=e.questions.findIndex(r=>r.name===l);return(s(a)?.index??null)===null?u:c(e.questions[a],s(a),n)}),i=e.questions.map(t=>t.piped?{...t,text:Object.fromEntries(Object.entries(t.text).map(([n,o])=>[n,m(o,n)]))}:t);return{...e,questions:i}}
function fillStep(e,{question:s},{draft:c}){return document.documentElement.translate=!1,fillForm(e,s===void 0?()=>{}:c.answer)}
register({name:"pipes",detect:({questions:e})=>e.some(isPiped),validate:validatePipes,wrap:{resolveForm:()=>fillStep}});
