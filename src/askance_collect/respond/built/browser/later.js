var es=864e5,
Tc=6e5,
ts=16,
pr=28,
Lc=1024,
Ic={later:[1,90]},
mr=()=>`askance-later:${location.pathname}`,
ln=()=>localStorage.removeItem(mr()),
hr=()=>Math.floor(Date.now()/es);
function Nt({form:e,fingerprint:t}){try{let n=localStorage.getItem(mr());if(n===null)return{};let[r,o]=n.split(" "),s=C(Number(o)-hr(),e.later+1);return r===t&&s?{text:n}:(ln(),{why:s?"changed":"expired"})}catch{return}}
var $c=()=>Array.from(ee(12),e=>Xe[e%32]).join(""),
gr=e=>new TextEncoder().encode(e);
async function ns(e,t,n){let r=await crypto.subtle.importKey("raw",gr(e),"PBKDF2",!1,["deriveKey"]),o={name:"PBKDF2",hash:"SHA-256",salt:t.slice(0,ts),iterations:Tc},s=await crypto.subtle.deriveKey(o,r,{name:"AES-GCM",length:256},!1,["encrypt","decrypt"]);return[{name:"AES-GCM",iv:t.slice(ts,pr),additionalData:gr(n)},s]}
async function Cc({form:e,fingerprint:t,draft:n},r){let{kept:o,answers:s,trails:i}=n.state(),a=n.isBound()?{kept:o,answers:[],trails:[]}:{kept:o,answers:s,trails:i},c=new Uint8Array(e.size+Lc*e.questions.length).fill(32);c.set(gr(JSON.stringify(a)));let d=ee(pr),u=`${t} ${hr()+e.later}`,l=await crypto.subtle.encrypt(...await ns(r,d,u),c),f=[...d,...new Uint8Array(l)];return`${u} ${btoa(f.map(m=>String.fromCharCode(m)).join(""))}`}
async function Rc(e,t){let n=e.lastIndexOf(" "),r=Uint8Array.from(atob(e.slice(n)),s=>s.charCodeAt(0)),o=await crypto.subtle.decrypt(...await ns(t,r,e.slice(0,n)),r.slice(pr));return JSON.parse(new TextDecoder().decode(o))}
var jc=e=>(t,n)=>{let{words:r}=n.speech,o=h(n.state.canWait?r.laterOffer:r.laterNever,"hint");return[...e(t.slice(0,-1),n),o,...t.slice(-1)]};
function vc(e){let t=Nt(e),n=t?.why?is(t.why):t?.text?ss:void 0;e.dispatch({type:"update",change:{canWait:t!==void 0,aside:n}})}
var rs=e=>e.turnTo(void 0),
Bc={render:Hc,back:rs};
function Hc(e){let{speech:t,form:n}=e,{words:r}=t,o=y(r.back,()=>rs(e));if(Nt(e)?.text)return[N(r.later),h(r.laterTaken),S(o)];let s=new Intl.DateTimeFormat(t.language,{dateStyle:"long",timeZone:"UTC"}),{line:i,main:a}=os(r.putAway,e,Pc);return[N(r.later),h(r.laterHow(s.format((hr()+n.later)*es))),h(r.laterCode),h(r.laterSeen,"hint"),i,S(o,a)]}
function os(e,t,n){let{words:r}=t.speech,o=p("p",{id:"line"});o.setAttribute("role","status");let s=y(e,i,"main");async function i(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true"),Object.assign(o,{className:"status",textContent:r.wait});let a=await n(t,()=>s.isConnected);s.removeAttribute("aria-disabled"),Object.assign(o,{className:"complaint",textContent:a??""})}return{line:o,main:s}}
async function Pc(e,t){let n=$c();try{let r=await Cc(e,n);if(!t())return;localStorage.setItem(mr(),r)}catch{return e.speech.words.laterFailed}return e.forget(),e.turnTo(Fc(n))}
var Fc=e=>({render:t=>[N(t.speech.words.yourCode),F("p","code away",po(e)),h(t.speech.words.writeDown),S(y(t.speech.words.codeDone,()=>t.turnTo(ss),"main"))]}),
ss={render:Mc};
function Mc(e){let{words:t}=e.speech,n=Vt(),{line:r,main:o}=os(t.goOn,e,async(s,i)=>{let a=await Dc(e,bt(n.value),i);return a&&n.setAttribute("aria-invalid","true"),n.focus(),a});return n.addEventListener("input",()=>n.removeAttribute("aria-invalid")),n.setAttribute("aria-describedby",r.id),[N(t.resume),h(t.resumeHint),p("label",{htmlFor:n.id},t.yourCode),n,r,S(y(t.anew,()=>Uc(e)),o)]}
async function Dc(e,t,n){let{draft:r,form:o,speech:s}=e,{text:i,why:a}=Nt(e)??{},c=i&&await Rc(i,t).catch(()=>{});if(!n())return;if(i&&!c)return s.words.codeWrong;let d=i&&Nt(e)?.text===i;return d&&ln(),!d||!pt(o.questions,c.kept)?e.turnTo(is(a??"taken")):(e.forget(),r.resume(c.kept),c.answers.forEach((u,l)=>u&&r.give(l,u)),c.trails.forEach((u,l)=>u&&Object.assign(r.trail(l),u)),e.resumeAt(Wc))}
var is=e=>({render:t=>[N(t.speech.words.erased),h(t.speech.words.erasedHint[e]),S(y(t.speech.words.proceed,()=>t.resumeAt(as),"main"))]});
function Uc(e){ln(),e.forget(),e.resumeAt(as)}
var as=({steps:e,draft:t})=>t.isBound()?e.length-1:0;
function Wc(e){let{steps:t,draft:n}=e,[r,o]=[n.state().answers.length>0?2:1,t.length-1],s=n.isBound()?o:t.findIndex(({question:i})=>i!==void 0&&n.answer(i)===void 0);for(s<0&&(s=o);s>r&&s<o&&t[s-1].question===void 0;)s-=1;return x.nextStep(t,s,1,e)}
var _c=e=>(t,n)=>{e(t,n);let r=y(n.speech.words.later,()=>n.state.isSending||n.turnTo(Bc),"leave");r.id="later",t.lastElementChild?.before(r)};
function Kc({state:{canWait:e,aside:t,step:n,ending:r}}){I("later").hidden=!e||t!==void 0||n===0||r!==void 0}
var Gc=e=>(t,n,r)=>(["closed","replaced"].includes(n)&&Nt(r)?.text&&ln(),e(t,n,r));
b({name:"later",shapes:Ic,wrap:{openVisit:e=>t=>{e(t),vc(t)},renderConsent:jc,renderHeader:_c,updateHeader:e=>t=>{e(t),Kc(t)},renderEnding:Gc}});
