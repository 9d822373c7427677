var Do=864e5,
Ga=6e5,
Fo=16,
er=28,
za=1024,
Va={later:[1,90]},
tr=()=>`askance-later:${location.pathname}`,
rn=()=>localStorage.removeItem(tr()),
nr=()=>Math.floor(Date.now()/Do);
function St({form:e,fingerprint:t}){try{let n=localStorage.getItem(tr());if(n===null)return{};let[r,o]=n.split(" "),s=C(Number(o)-nr(),e.later+1);return r===t&&s?{text:n}:(rn(),{why:s?"changed":"expired"})}catch{return}}
var Qa=()=>Array.from(Y(12),e=>Qe[e%32]).join(""),
rr=e=>new TextEncoder().encode(e);
async function Mo(e,t,n){let r=await crypto.subtle.importKey("raw",rr(e),"PBKDF2",!1,["deriveKey"]),o={name:"PBKDF2",hash:"SHA-256",salt:t.slice(0,Fo),iterations:Ga},s=await crypto.subtle.deriveKey(o,r,{name:"AES-GCM",length:256},!1,["encrypt","decrypt"]);return[{name:"AES-GCM",iv:t.slice(Fo,er),additionalData:rr(n)},s]}
async function Ja({form:e,fingerprint:t,draft:n},r){let{kept:o,answers:s,trails:i}=n.state(),a=n.isBound()?{kept:o,answers:[],trails:[]}:{kept:o,answers:s,trails:i},c=new Uint8Array(e.size+za*e.questions.length).fill(32);c.set(rr(JSON.stringify(a)));let d=Y(er),u=`${t} ${nr()+e.later}`,l=await crypto.subtle.encrypt(...await Mo(r,d,u),c),f=[...d,...new Uint8Array(l)];return`${u} ${btoa(f.map(p=>String.fromCharCode(p)).join(""))}`}
async function Za(e,t){let n=e.lastIndexOf(" "),r=Uint8Array.from(atob(e.slice(n)),s=>s.charCodeAt(0)),o=await crypto.subtle.decrypt(...await Mo(t,r,e.slice(0,n)),r.slice(er));return JSON.parse(new TextDecoder().decode(o))}
var Xa=e=>(t,n)=>{let{words:r}=n.speech,o=h(n.state.canWait?r.laterOffer:r.laterNever,"hint");return[...e(t.slice(0,-1),n),o,...t.slice(-1)]};
function Ya(e){let t=St(e),n=t?.why?_o(t.why):t?.text?Ko:void 0;e.dispatch({type:"update",change:{canWait:t!==void 0,aside:n}})}
var Uo=e=>e.turnTo(void 0),
qa={render:ec,back:Uo};
function ec(e){let{speech:t,form:n}=e,{words:r}=t,o=b(r.back,()=>Uo(e));if(St(e)?.text)return[A(r.later),h(r.laterTaken),S(o)];let s=new Intl.DateTimeFormat(t.language,{dateStyle:"long",timeZone:"UTC"}),{line:i,main:a}=Wo(r.putAway,e,tc);return[A(r.later),h(r.laterHow(s.format((nr()+n.later)*Do))),h(r.laterCode),h(r.laterSeen,"hint"),i,S(o,a)]}
function Wo(e,t,n){let{words:r}=t.speech,o=m("p",{id:"line"});o.setAttribute("role","status");let s=b(e,i,"main");async function i(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true"),Object.assign(o,{className:"status",textContent:r.wait});let a=await n(t,()=>s.isConnected);s.removeAttribute("aria-disabled"),Object.assign(o,{className:"complaint",textContent:a??""})}return{line:o,main:s}}
async function tc(e,t){let n=Qa();try{let r=await Ja(e,n);if(!t())return;localStorage.setItem(tr(),r)}catch{return e.speech.words.laterFailed}return e.forget(),e.turnTo(nc(n))}
var nc=e=>({render:t=>[A(t.speech.words.yourCode),P("p","code away",to(e)),h(t.speech.words.writeDown),S(b(t.speech.words.codeDone,()=>t.turnTo(Ko),"main"))]}),
Ko={render:rc};
function rc(e){let{words:t}=e.speech,n=Gt(),{line:r,main:o}=Wo(t.goOn,e,async(s,i)=>{let a=await oc(e,gt(n.value),i);return a&&n.setAttribute("aria-invalid","true"),n.focus(),a});return n.addEventListener("input",()=>n.removeAttribute("aria-invalid")),n.setAttribute("aria-describedby",r.id),[A(t.resume),h(t.resumeHint),m("label",{htmlFor:n.id},t.yourCode),n,r,S(b(t.anew,()=>sc(e)),o)]}
async function oc(e,t,n){let{draft:r,form:o,speech:s}=e,{text:i,why:a}=St(e)??{},c=i&&await Za(i,t).catch(()=>{});if(!n())return;if(i&&!c)return s.words.codeWrong;let d=i&&St(e)?.text===i;return d&&rn(),!d||!lt(o.questions,c.kept)?e.turnTo(_o(a??"taken")):(e.forget(),r.resume(c.kept),c.answers.forEach((u,l)=>u&&r.give(l,u)),c.trails.forEach((u,l)=>u&&Object.assign(r.trail(l),u)),e.resumeAt(ic))}
var _o=e=>({render:t=>[A(t.speech.words.erased),h(t.speech.words.erasedHint[e]),S(b(t.speech.words.proceed,()=>t.resumeAt(Go),"main"))]});
function sc(e){rn(),e.forget(),e.resumeAt(Go)}
var Go=({steps:e,draft:t})=>t.isBound()?e.length-1:0;
function ic(e){let{steps:t,draft:n}=e,[r,o]=[n.state().answers.length>0?2:1,t.length-1],s=n.isBound()?o:t.findIndex(({question:i})=>i!==void 0&&n.answer(i)===void 0);for(s<0&&(s=o);s>r&&s<o&&t[s-1].question===void 0;)s-=1;return x.nextStep(t,s,1,e)}
var ac=e=>(t,n)=>{e(t,n);let r=b(n.speech.words.later,()=>n.state.isSending||n.turnTo(qa),"leave");r.id="later",t.lastElementChild?.before(r)};
function cc({state:{canWait:e,aside:t,step:n,ending:r}}){T("later").hidden=!e||t!==void 0||n===0||r!==void 0}
var dc=e=>(t,n,r)=>(["closed","replaced"].includes(n)&&St(r)?.text&&rn(),e(t,n,r));
k({name:"later",shapes:Va,wrap:{openVisit:e=>t=>{e(t),Ya(t)},renderConsent:Xa,renderHeader:ac,updateHeader:e=>t=>{e(t),cc(t)},renderEnding:dc}});
