var Do=864e5,
Qa=6e5,
Fo=16,
er=28,
Ja=1024,
Za={later:[1,90]},
tr=()=>`askance-later:${location.pathname}`,
rn=()=>localStorage.removeItem(tr()),
nr=()=>Math.floor(Date.now()/Do);
function St({form:e,fingerprint:t}){try{let n=localStorage.getItem(tr());if(n===null)return{};let[r,o]=n.split(" "),s=C(Number(o)-nr(),e.later+1);return r===t&&s?{text:n}:(rn(),{why:s?"changed":"expired"})}catch{return}}
var Xa=()=>Array.from(Y(12),e=>Qe[e%32]).join(""),
rr=e=>new TextEncoder().encode(e);
async function Mo(e,t,n){let r=await crypto.subtle.importKey("raw",rr(e),"PBKDF2",!1,["deriveKey"]),o={name:"PBKDF2",hash:"SHA-256",salt:t.slice(0,Fo),iterations:Qa},s=await crypto.subtle.deriveKey(o,r,{name:"AES-GCM",length:256},!1,["encrypt","decrypt"]);return[{name:"AES-GCM",iv:t.slice(Fo,er),additionalData:rr(n)},s]}
async function Ya({form:e,fingerprint:t,draft:n},r){let{kept:o,answers:s,trails:i}=n.state(),a=n.isBound()?{kept:o,answers:[],trails:[]}:{kept:o,answers:s,trails:i},c=new Uint8Array(e.size+Ja*e.questions.length).fill(32);c.set(rr(JSON.stringify(a)));let d=Y(er),u=`${t} ${nr()+e.later}`,l=await crypto.subtle.encrypt(...await Mo(r,d,u),c),f=[...d,...new Uint8Array(l)];return`${u} ${btoa(f.map(p=>String.fromCharCode(p)).join(""))}`}
async function qa(e,t){let n=e.lastIndexOf(" "),r=Uint8Array.from(atob(e.slice(n)),s=>s.charCodeAt(0)),o=await crypto.subtle.decrypt(...await Mo(t,r,e.slice(0,n)),r.slice(er));return JSON.parse(new TextDecoder().decode(o))}
var ec=e=>(t,n)=>{let{words:r}=n.speech,o=h(n.state.canWait?r.laterOffer:r.laterNever,"hint");return[...e(t.slice(0,-1),n),o,...t.slice(-1)]};
function tc(e){let t=St(e),n=t?.why?_o(t.why):t?.text?Ko:void 0;e.dispatch({type:"update",change:{canWait:t!==void 0,aside:n}})}
var Uo=e=>e.turnTo(void 0),
nc={render:rc,back:Uo};
function rc(e){let{speech:t,form:n}=e,{words:r}=t,o=b(r.back,()=>Uo(e));if(St(e)?.text)return[A(r.later),h(r.laterTaken),S(o)];let s=new Intl.DateTimeFormat(t.language,{dateStyle:"long",timeZone:"UTC"}),{line:i,main:a}=Wo(r.putAway,e,oc);return[A(r.later),h(r.laterHow(s.format((nr()+n.later)*Do))),h(r.laterCode),h(r.laterSeen,"hint"),i,S(o,a)]}
function Wo(e,t,n){let{words:r}=t.speech,o=m("p",{id:"line"});o.setAttribute("role","status");let s=b(e,i,"main");async function i(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true"),Object.assign(o,{className:"status",textContent:r.wait});let a=await n(t,()=>s.isConnected);s.removeAttribute("aria-disabled"),Object.assign(o,{className:"complaint",textContent:a??""})}return{line:o,main:s}}
async function oc(e,t){let n=Xa();try{let r=await Ya(e,n);if(!t())return;localStorage.setItem(tr(),r)}catch{return e.speech.words.laterFailed}return e.forget(),e.turnTo(sc(n))}
var sc=e=>({render:t=>[A(t.speech.words.yourCode),P("p","code away",to(e)),h(t.speech.words.writeDown),S(b(t.speech.words.codeDone,()=>t.turnTo(Ko),"main"))]}),
Ko={render:ic};
function ic(e){let{words:t}=e.speech,n=Gt(),{line:r,main:o}=Wo(t.goOn,e,async(s,i)=>{let a=await ac(e,gt(n.value),i);return a&&n.setAttribute("aria-invalid","true"),n.focus(),a});return n.addEventListener("input",()=>n.removeAttribute("aria-invalid")),n.setAttribute("aria-describedby",r.id),[A(t.resume),h(t.resumeHint),m("label",{htmlFor:n.id},t.yourCode),n,r,S(b(t.anew,()=>cc(e)),o)]}
async function ac(e,t,n){let{draft:r,form:o,speech:s}=e,{text:i,why:a}=St(e)??{},c=i&&await qa(i,t).catch(()=>{});if(!n())return;if(i&&!c)return s.words.codeWrong;let d=i&&St(e)?.text===i;return d&&rn(),!d||!lt(o.questions,c.kept)?e.turnTo(_o(a??"taken")):(e.forget(),r.resume(c.kept),c.answers.forEach((u,l)=>u&&r.give(l,u)),c.trails.forEach((u,l)=>u&&Object.assign(r.trail(l),u)),e.resumeAt(dc))}
var _o=e=>({render:t=>[A(t.speech.words.erased),h(t.speech.words.erasedHint[e]),S(b(t.speech.words.proceed,()=>t.resumeAt(Go),"main"))]});
function cc(e){rn(),e.forget(),e.resumeAt(Go)}
var Go=({steps:e,draft:t})=>t.isBound()?e.length-1:0;
function dc(e){let{steps:t,draft:n}=e,[r,o]=[n.state().answers.length>0?2:1,t.length-1],s=n.isBound()?o:t.findIndex(({question:i})=>i!==void 0&&n.answer(i)===void 0);for(s<0&&(s=o);s>r&&s<o&&t[s-1].question===void 0;)s-=1;return x.nextStep(t,s,1,e)}
var lc=e=>(t,n)=>{e(t,n);let r=b(n.speech.words.later,()=>n.state.isSending||n.turnTo(nc),"leave");r.id="later",t.lastElementChild?.before(r)};
function uc({state:{canWait:e,aside:t,step:n,ending:r}}){T("later").hidden=!e||t!==void 0||n===0||r!==void 0}
var fc=e=>(t,n,r)=>(["closed","replaced"].includes(n)&&St(r)?.text&&rn(),e(t,n,r));
y({name:"later",shapes:Za,wrap:{openVisit:e=>t=>{e(t),tc(t)},renderConsent:ec,renderHeader:lc,updateHeader:e=>t=>{e(t),uc(t)},renderEnding:fc}});
