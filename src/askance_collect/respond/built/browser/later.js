var Eo=864e5,
Ba=6e5,
No=16,
Qn=28,
Ha=1024,
Pa={later:[1,90]},
Jn=()=>`askance-later:${location.pathname}`,
tn=()=>localStorage.removeItem(Jn()),
Zn=()=>Math.floor(Date.now()/Eo);
function St({form:e,fingerprint:t}){try{let n=localStorage.getItem(Jn());if(n===null)return{};let[r,o]=n.split(" "),s=$(Number(o)-Zn(),e.later+1);return r===t&&s?{text:n}:(tn(),{why:s?"changed":"expired"})}catch{return}}
var Da=()=>Array.from(Y(12),e=>Ke[e%32]).join(""),
Xn=e=>new TextEncoder().encode(e);
async function To(e,t,n){let r=await crypto.subtle.importKey("raw",Xn(e),"PBKDF2",!1,["deriveKey"]),o={name:"PBKDF2",hash:"SHA-256",salt:t.slice(0,No),iterations:Ba},s=await crypto.subtle.deriveKey(o,r,{name:"AES-GCM",length:256},!1,["encrypt","decrypt"]);return[{name:"AES-GCM",iv:t.slice(No,Qn),additionalData:Xn(n)},s]}
async function Ma({form:e,fingerprint:t,draft:n},r){let{kept:o,answers:s,trails:i}=n.state(),a=n.isBound()?{kept:o,answers:[],trails:[]}:{kept:o,answers:s,trails:i},c=new Uint8Array(e.size+Ha*e.questions.length).fill(32);c.set(Xn(JSON.stringify(a)));let d=Y(Qn),u=`${t} ${Zn()+e.later}`,l=await crypto.subtle.encrypt(...await To(r,d,u),c),f=[...d,...new Uint8Array(l)];return`${u} ${btoa(f.map(h=>String.fromCharCode(h)).join(""))}`}
async function Fa(e,t){let n=e.lastIndexOf(" "),r=Uint8Array.from(atob(e.slice(n)),s=>s.charCodeAt(0)),o=await crypto.subtle.decrypt(...await To(t,r,e.slice(0,n)),r.slice(Qn));return JSON.parse(new TextDecoder().decode(o))}
var Ua=e=>(t,n)=>{let{words:r}=n.speech,o=m(n.state.canWait?r.laterOffer:r.laterNever,"hint");return[...e(t.slice(0,-1),n),o,...t.slice(-1)]};
function Wa(e){let t=St(e),n=t?.why?$o(t.why):t?.text?Co:void 0;e.dispatch({type:"update",change:{canWait:t!==void 0,aside:n}})}
var Lo=e=>e.turnTo(void 0),
Ka={render:_a,back:Lo};
function _a(e){let{speech:t,form:n}=e,{words:r}=t,o=w(r.back,()=>Lo(e));if(St(e)?.text)return[O(r.later),m(r.laterTaken),S(o)];let s=new Intl.DateTimeFormat(t.language,{dateStyle:"long",timeZone:"UTC"}),{line:i,main:a}=Io(r.putAway,e,Ga);return[O(r.later),m(r.laterHow(s.format((Zn()+n.later)*Eo))),m(r.laterCode),m(r.laterSeen,"hint"),i,S(o,a)]}
function Io(e,t,n){let{words:r}=t.speech,o=p("p",{id:"line"});o.setAttribute("role","status");let s=w(e,i,"main");async function i(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true"),Object.assign(o,{className:"status",textContent:r.wait});let a=await n(t,()=>s.isConnected);s.removeAttribute("aria-disabled"),Object.assign(o,{className:"complaint",textContent:a??""})}return{line:o,main:s}}
async function Ga(e,t){let n=Da();try{let r=await Ma(e,n);if(!t())return;localStorage.setItem(Jn(),r)}catch{return e.speech.words.laterFailed}return e.forget(),e.turnTo(za(n))}
var za=e=>({render:t=>[O(t.speech.words.yourCode),H("p","code away",Ur(e)),m(t.speech.words.writeDown),S(w(t.speech.words.codeDone,()=>t.turnTo(Co),"main"))]}),
Co={render:Va};
function Va(e){let{words:t}=e.speech,n=Wt(),{line:r,main:o}=Io(t.goOn,e,async(s,i)=>{let a=await Qa(e,ht(n.value),i);return n.focus(),a});return n.setAttribute("aria-describedby",r.id),[O(t.resume),m(t.resumeHint),p("label",{htmlFor:n.id},t.yourCode),n,r,S(w(t.anew,()=>Ja(e)),o)]}
async function Qa(e,t,n){let{draft:r,form:o,speech:s}=e,{text:i,why:a}=St(e)??{},c=i&&await Fa(i,t).catch(()=>{});if(!n())return;if(i&&!c)return s.words.codeWrong;let d=i&&St(e)?.text===i;return d&&tn(),!d||!at(o.questions,c.kept)?e.turnTo($o(a??"taken")):(e.forget(),r.resume(c.kept),c.answers.forEach((u,l)=>u&&r.give(l,u)),c.trails.forEach((u,l)=>u&&Object.assign(r.trail(l),u)),e.resumeAt(Za))}
var $o=e=>({render:t=>[O(t.speech.words.erased),m(t.speech.words.erasedHint[e]),S(w(t.speech.words.proceed,()=>t.resumeAt(Ro),"main"))]});
function Ja(e){tn(),e.forget(),e.resumeAt(Ro)}
var Ro=({steps:e,draft:t})=>t.isBound()?e.length-1:0;
function Za(e){let{steps:t,draft:n}=e,[r,o]=[n.state().answers.length>0?2:1,t.length-1],s=n.isBound()?o:t.findIndex(({question:i})=>i!==void 0&&n.answer(i)===void 0);for(s<0&&(s=o);s>r&&s<o&&t[s-1].question===void 0;)s-=1;return x.nextStep(t,s,1,e)}
var Xa=e=>(t,n)=>{e(t,n);let r=w(n.speech.words.later,()=>n.state.isSending||n.turnTo(Ka),"leave");r.id="later",t.lastElementChild?.before(r)};
function Ya({state:{canWait:e,aside:t,step:n,ending:r}}){N("later").hidden=!e||t!==void 0||n===0||r!==void 0}
var qa=e=>(t,n,r)=>(["closed","replaced"].includes(n)&&St(r)?.text&&tn(),e(t,n,r));
y({name:"later",shapes:Pa,wrap:{openVisit:e=>t=>{e(t),Wa(t)},renderConsent:Ua,renderHeader:Xa,updateHeader:e=>t=>{e(t),Ya(t)},renderEnding:qa}});
