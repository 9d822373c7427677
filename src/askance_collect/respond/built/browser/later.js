var ts=864e5,
Rc=6e5,
ns=16,
ur=28,
jc=1024,
vc={later:[1,90]},
fr=()=>`askance-later:${location.pathname}`,
fn=()=>localStorage.removeItem(fr()),
pr=()=>Math.floor(Date.now()/ts);
function Tt({form:e,fingerprint:t}){try{let n=localStorage.getItem(fr());if(n===null)return{};let[r,o]=n.split(" "),s=C(Number(o)-pr(),e.later+1);return r===t&&s?{text:n}:(fn(),{why:s?"changed":"expired"})}catch{return}}
var Bc=()=>Array.from(te(12),e=>Xe[e%32]).join(""),
mr=e=>new TextEncoder().encode(e);
async function rs(e,t,n){let r=await crypto.subtle.importKey("raw",mr(e),"PBKDF2",!1,["deriveKey"]),o={name:"PBKDF2",hash:"SHA-256",salt:t.slice(0,ns),iterations:Rc},s=await crypto.subtle.deriveKey(o,r,{name:"AES-GCM",length:256},!1,["encrypt","decrypt"]);return[{name:"AES-GCM",iv:t.slice(ns,ur),additionalData:mr(n)},s]}
async function Hc({form:e,fingerprint:t,draft:n},r){let{kept:o,answers:s,trails:i}=n.state(),a=n.isBound()?{kept:o,answers:[],trails:[]}:{kept:o,answers:s,trails:i},c=new Uint8Array(e.size+jc*e.questions.length).fill(32);c.set(mr(JSON.stringify(a)));let d=te(ur),u=`${t} ${pr()+e.later}`,l=await crypto.subtle.encrypt(...await rs(r,d,u),c),f=[...d,...new Uint8Array(l)];return`${u} ${btoa(f.map(m=>String.fromCharCode(m)).join(""))}`}
async function Pc(e,t){let n=e.lastIndexOf(" "),r=Uint8Array.from(atob(e.slice(n)),s=>s.charCodeAt(0)),o=await crypto.subtle.decrypt(...await rs(t,r,e.slice(0,n)),r.slice(ur));return JSON.parse(new TextDecoder().decode(o))}
var Fc=e=>(t,n)=>{let{words:r}=n.speech,o=h(n.state.canWait?r.laterOffer:r.laterNever,"hint");return[...e(t.slice(0,-1),n),o,...t.slice(-1)]};
function Mc(e){let t=Tt(e),n=t?.why?as(t.why):t?.text?is:void 0;e.dispatch({type:"update",change:{canWait:t!==void 0,aside:n}})}
var os=e=>e.turnTo(void 0),
Dc={render:Uc,back:os};
function Uc(e){let{speech:t,form:n}=e,{words:r}=t,o=y(r.back,()=>os(e));if(Tt(e)?.text)return[T(r.later),h(r.laterTaken),A(o)];let s=new Intl.DateTimeFormat(t.language,{dateStyle:"long",timeZone:"UTC"}),{line:i,main:a}=ss(r.putAway,e,Wc);return[T(r.later),h(r.laterHow(s.format((pr()+n.later)*ts))),h(r.laterCode),h(r.laterSeen,"hint"),i,A(o,a)]}
function ss(e,t,n){let{words:r}=t.speech,o=p("p",{id:"line"});o.setAttribute("role","status");let s=y(e,i,"main");async function i(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true"),Object.assign(o,{className:"status",textContent:r.wait});let a=await n(t,()=>s.isConnected);s.removeAttribute("aria-disabled"),Object.assign(o,{className:"complaint",textContent:a??""})}return{line:o,main:s}}
async function Wc(e,t){let n=Bc();try{let r=await Hc(e,n);if(!t())return;localStorage.setItem(fr(),r)}catch{return e.speech.words.laterFailed}return e.forget(),e.turnTo(_c(n))}
var _c=e=>({render:t=>[T(t.speech.words.yourCode),F("p","code away",uo(e)),h(t.speech.words.writeDown),A(y(t.speech.words.codeDone,()=>t.turnTo(is),"main"))]}),
is={render:Kc};
function Kc(e){let{words:t}=e.speech,n=Vt(),{line:r,main:o}=ss(t.goOn,e,async(s,i)=>{let a=await Gc(e,bt(n.value),i);return a&&n.setAttribute("aria-invalid","true"),n.focus(),a});return n.addEventListener("input",()=>n.removeAttribute("aria-invalid")),n.setAttribute("aria-describedby",r.id),[T(t.resume),h(t.resumeHint),p("label",{htmlFor:n.id},t.yourCode),n,r,A(y(t.anew,()=>zc(e)),o)]}
async function Gc(e,t,n){let{draft:r,form:o,speech:s}=e,{text:i,why:a}=Tt(e)??{},c=i&&await Pc(i,t).catch(()=>{});if(!n())return;if(i&&!c)return s.words.codeWrong;let d=i&&Tt(e)?.text===i;return d&&fn(),!d||!pt(o.questions,c.kept)?e.turnTo(as(a??"taken")):(e.forget(),r.resume(c.kept),c.answers.forEach((u,l)=>u&&r.give(l,u)),c.trails.forEach((u,l)=>u&&Object.assign(r.trail(l),u)),e.resumeAt(Vc))}
var as=e=>({render:t=>[T(t.speech.words.erased),h(t.speech.words.erasedHint[e]),A(y(t.speech.words.proceed,()=>t.resumeAt(cs),"main"))]});
function zc(e){fn(),e.forget(),e.resumeAt(cs)}
var cs=({steps:e,draft:t})=>t.isBound()?e.length-1:0;
function Vc(e){let{steps:t,draft:n}=e,[r,o]=[n.state().answers.length>0?2:1,t.length-1],s=n.isBound()?o:t.findIndex(({question:i})=>i!==void 0&&n.answer(i)===void 0);for(s<0&&(s=o);s>r&&s<o&&t[s-1].question===void 0;)s-=1;return x.nextStep(t,s,1,e)}
var Qc=e=>(t,n)=>{e(t,n);let r=y(n.speech.words.later,()=>n.state.isSending||n.turnTo(Dc),"leave");r.id="later",t.lastElementChild?.before(r)};
function Jc({state:{canWait:e,aside:t,step:n,ending:r}}){I("later").hidden=!e||t!==void 0||n===0||r!==void 0}
var Zc=e=>(t,n,r)=>(["closed","replaced"].includes(n)&&Tt(r)?.text&&fn(),e(t,n,r));
b({name:"later",shapes:vc,wrap:{openVisit:e=>t=>{e(t),Mc(t)},renderConsent:Fc,renderHeader:Qc,updateHeader:e=>t=>{e(t),Jc(t)},renderEnding:Zc}});
