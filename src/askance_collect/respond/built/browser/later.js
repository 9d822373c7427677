var Ho=864e5,
Ma=6e5,
Po=16,
Xn=28,
Ua=1024,
Wa={later:[1,90]},
Yn=()=>`askance-later:${location.pathname}`,
tn=()=>localStorage.removeItem(Yn()),
qn=()=>Math.floor(Date.now()/Ho);
function xt({form:e,fingerprint:t}){try{let n=localStorage.getItem(Yn());if(n===null)return{};let[r,o]=n.split(" "),s=$(Number(o)-qn(),e.later+1);return r===t&&s?{text:n}:(tn(),{why:s?"changed":"expired"})}catch{return}}
var Ka=()=>Array.from(X(12),e=>Ge[e%32]).join(""),
er=e=>new TextEncoder().encode(e);
async function Fo(e,t,n){let r=await crypto.subtle.importKey("raw",er(e),"PBKDF2",!1,["deriveKey"]),o={name:"PBKDF2",hash:"SHA-256",salt:t.slice(0,Po),iterations:Ma},s=await crypto.subtle.deriveKey(o,r,{name:"AES-GCM",length:256},!1,["encrypt","decrypt"]);return[{name:"AES-GCM",iv:t.slice(Po,Xn),additionalData:er(n)},s]}
async function _a({form:e,fingerprint:t,draft:n},r){let{kept:o,answers:s,trails:i}=n.state(),a=n.isBound()?{kept:o,answers:[],trails:[]}:{kept:o,answers:s,trails:i},c=new Uint8Array(e.size+Ua*e.questions.length).fill(32);c.set(er(JSON.stringify(a)));let d=X(Xn),u=`${t} ${qn()+e.later}`,l=await crypto.subtle.encrypt(...await Fo(r,d,u),c),f=[...d,...new Uint8Array(l)];return`${u} ${btoa(f.map(m=>String.fromCharCode(m)).join(""))}`}
async function Ga(e,t){let n=e.lastIndexOf(" "),r=Uint8Array.from(atob(e.slice(n)),s=>s.charCodeAt(0)),o=await crypto.subtle.decrypt(...await Fo(t,r,e.slice(0,n)),r.slice(Xn));return JSON.parse(new TextDecoder().decode(o))}
var za=e=>(t,n)=>{let{words:r}=n.speech,o=h(n.state.canWait?r.laterOffer:r.laterNever,"hint");return[...e(t.slice(0,-1),n),o,...t.slice(-1)]};
function Va(e){let t=xt(e),n=t?.why?Wo(t.why):t?.text?Uo:void 0;e.dispatch({type:"update",change:{canWait:t!==void 0,aside:n}})}
var Do=e=>e.turnTo(void 0),
Qa={render:Ja,back:Do};
function Ja(e){let{speech:t,form:n}=e,{words:r}=t,o=w(r.back,()=>Do(e));if(xt(e)?.text)return[O(r.later),h(r.laterTaken),S(o)];let s=new Intl.DateTimeFormat(t.language,{dateStyle:"long",timeZone:"UTC"}),{line:i,main:a}=Mo(r.putAway,e,Za);return[O(r.later),h(r.laterHow(s.format((qn()+n.later)*Ho))),h(r.laterCode),h(r.laterSeen,"hint"),i,S(o,a)]}
function Mo(e,t,n){let{words:r}=t.speech,o=p("p",{id:"line"});o.setAttribute("role","status");let s=w(e,i,"main");async function i(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true"),Object.assign(o,{className:"status",textContent:r.wait});let a=await n(t,()=>s.isConnected);s.removeAttribute("aria-disabled"),Object.assign(o,{className:"complaint",textContent:a??""})}return{line:o,main:s}}
async function Za(e,t){let n=Ka();try{let r=await _a(e,n);if(!t())return;localStorage.setItem(Yn(),r)}catch{return e.speech.words.laterFailed}return e.forget(),e.turnTo(Xa(n))}
var Xa=e=>({render:t=>[O(t.speech.words.yourCode),H("p","code away",qr(e)),h(t.speech.words.writeDown),S(w(t.speech.words.codeDone,()=>t.turnTo(Uo),"main"))]}),
Uo={render:Ya};
function Ya(e){let{words:t}=e.speech,n=Kt(),{line:r,main:o}=Mo(t.goOn,e,async(s,i)=>{let a=await qa(e,ht(n.value),i);return a&&n.setAttribute("aria-invalid","true"),n.focus(),a});return n.addEventListener("input",()=>n.removeAttribute("aria-invalid")),n.setAttribute("aria-describedby",r.id),[O(t.resume),h(t.resumeHint),p("label",{htmlFor:n.id},t.yourCode),n,r,S(w(t.anew,()=>ec(e)),o)]}
async function qa(e,t,n){let{draft:r,form:o,speech:s}=e,{text:i,why:a}=xt(e)??{},c=i&&await Ga(i,t).catch(()=>{});if(!n())return;if(i&&!c)return s.words.codeWrong;let d=i&&xt(e)?.text===i;return d&&tn(),!d||!ct(o.questions,c.kept)?e.turnTo(Wo(a??"taken")):(e.forget(),r.resume(c.kept),c.answers.forEach((u,l)=>u&&r.give(l,u)),c.trails.forEach((u,l)=>u&&Object.assign(r.trail(l),u)),e.resumeAt(tc))}
var Wo=e=>({render:t=>[O(t.speech.words.erased),h(t.speech.words.erasedHint[e]),S(w(t.speech.words.proceed,()=>t.resumeAt(Ko),"main"))]});
function ec(e){tn(),e.forget(),e.resumeAt(Ko)}
var Ko=({steps:e,draft:t})=>t.isBound()?e.length-1:0;
function tc(e){let{steps:t,draft:n}=e,[r,o]=[n.state().answers.length>0?2:1,t.length-1],s=n.isBound()?o:t.findIndex(({question:i})=>i!==void 0&&n.answer(i)===void 0);for(s<0&&(s=o);s>r&&s<o&&t[s-1].question===void 0;)s-=1;return x.nextStep(t,s,1,e)}
var nc=e=>(t,n)=>{e(t,n);let r=w(n.speech.words.later,()=>n.state.isSending||n.turnTo(Qa),"leave");r.id="later",t.lastElementChild?.before(r)};
function rc({state:{canWait:e,aside:t,step:n,ending:r}}){N("later").hidden=!e||t!==void 0||n===0||r!==void 0}
var oc=e=>(t,n,r)=>(["closed","replaced"].includes(n)&&xt(r)?.text&&tn(),e(t,n,r));
y({name:"later",shapes:Wa,wrap:{openVisit:e=>t=>{e(t),Va(t)},renderConsent:za,renderHeader:nc,updateHeader:e=>t=>{e(t),rc(t)},renderEnding:oc}});
