var Vo=864e5,
fc=6e5,
Qo=16,
dr=28,
pc=1024,
mc={later:[1,90]},
lr=()=>`askance-later:${location.pathname}`,
dn=()=>localStorage.removeItem(lr()),
ur=()=>Math.floor(Date.now()/Vo);
function Et({form:e,fingerprint:t}){try{let n=localStorage.getItem(lr());if(n===null)return{};let[r,o]=n.split(" "),s=C(Number(o)-ur(),e.later+1);return r===t&&s?{text:n}:(dn(),{why:s?"changed":"expired"})}catch{return}}
var hc=()=>Array.from(ee(12),e=>Je[e%32]).join(""),
fr=e=>new TextEncoder().encode(e);
async function Jo(e,t,n){let r=await crypto.subtle.importKey("raw",fr(e),"PBKDF2",!1,["deriveKey"]),o={name:"PBKDF2",hash:"SHA-256",salt:t.slice(0,Qo),iterations:fc},s=await crypto.subtle.deriveKey(o,r,{name:"AES-GCM",length:256},!1,["encrypt","decrypt"]);return[{name:"AES-GCM",iv:t.slice(Qo,dr),additionalData:fr(n)},s]}
async function gc({form:e,fingerprint:t,draft:n},r){let{kept:o,answers:s,trails:i}=n.state(),a=n.isBound()?{kept:o,answers:[],trails:[]}:{kept:o,answers:s,trails:i},c=new Uint8Array(e.size+pc*e.questions.length).fill(32);c.set(fr(JSON.stringify(a)));let d=ee(dr),u=`${t} ${ur()+e.later}`,l=await crypto.subtle.encrypt(...await Jo(r,d,u),c),f=[...d,...new Uint8Array(l)];return`${u} ${btoa(f.map(p=>String.fromCharCode(p)).join(""))}`}
async function wc(e,t){let n=e.lastIndexOf(" "),r=Uint8Array.from(atob(e.slice(n)),s=>s.charCodeAt(0)),o=await crypto.subtle.decrypt(...await Jo(t,r,e.slice(0,n)),r.slice(dr));return JSON.parse(new TextDecoder().decode(o))}
var bc=e=>(t,n)=>{let{words:r}=n.speech,o=h(n.state.canWait?r.laterOffer:r.laterNever,"hint");return[...e(t.slice(0,-1),n),o,...t.slice(-1)]};
function yc(e){let t=Et(e),n=t?.why?qo(t.why):t?.text?Yo:void 0;e.dispatch({type:"update",change:{canWait:t!==void 0,aside:n}})}
var Zo=e=>e.turnTo(void 0),
kc={render:xc,back:Zo};
function xc(e){let{speech:t,form:n}=e,{words:r}=t,o=y(r.back,()=>Zo(e));if(Et(e)?.text)return[E(r.later),h(r.laterTaken),S(o)];let s=new Intl.DateTimeFormat(t.language,{dateStyle:"long",timeZone:"UTC"}),{line:i,main:a}=Xo(r.putAway,e,Sc);return[E(r.later),h(r.laterHow(s.format((ur()+n.later)*Vo))),h(r.laterCode),h(r.laterSeen,"hint"),i,S(o,a)]}
function Xo(e,t,n){let{words:r}=t.speech,o=m("p",{id:"line"});o.setAttribute("role","status");let s=y(e,i,"main");async function i(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true"),Object.assign(o,{className:"status",textContent:r.wait});let a=await n(t,()=>s.isConnected);s.removeAttribute("aria-disabled"),Object.assign(o,{className:"complaint",textContent:a??""})}return{line:o,main:s}}
async function Sc(e,t){let n=hc();try{let r=await gc(e,n);if(!t())return;localStorage.setItem(lr(),r)}catch{return e.speech.words.laterFailed}return e.forget(),e.turnTo(Oc(n))}
var Oc=e=>({render:t=>[E(t.speech.words.yourCode),P("p","code away",uo(e)),h(t.speech.words.writeDown),S(y(t.speech.words.codeDone,()=>t.turnTo(Yo),"main"))]}),
Yo={render:Ac};
function Ac(e){let{words:t}=e.speech,n=Vt(),{line:r,main:o}=Xo(t.goOn,e,async(s,i)=>{let a=await Ec(e,wt(n.value),i);return a&&n.setAttribute("aria-invalid","true"),n.focus(),a});return n.addEventListener("input",()=>n.removeAttribute("aria-invalid")),n.setAttribute("aria-describedby",r.id),[E(t.resume),h(t.resumeHint),m("label",{htmlFor:n.id},t.yourCode),n,r,S(y(t.anew,()=>Nc(e)),o)]}
async function Ec(e,t,n){let{draft:r,form:o,speech:s}=e,{text:i,why:a}=Et(e)??{},c=i&&await wc(i,t).catch(()=>{});if(!n())return;if(i&&!c)return s.words.codeWrong;let d=i&&Et(e)?.text===i;return d&&dn(),!d||!ut(o.questions,c.kept)?e.turnTo(qo(a??"taken")):(e.forget(),r.resume(c.kept),c.answers.forEach((u,l)=>u&&r.give(l,u)),c.trails.forEach((u,l)=>u&&Object.assign(r.trail(l),u)),e.resumeAt(Tc))}
var qo=e=>({render:t=>[E(t.speech.words.erased),h(t.speech.words.erasedHint[e]),S(y(t.speech.words.proceed,()=>t.resumeAt(es),"main"))]});
function Nc(e){dn(),e.forget(),e.resumeAt(es)}
var es=({steps:e,draft:t})=>t.isBound()?e.length-1:0;
function Tc(e){let{steps:t,draft:n}=e,[r,o]=[n.state().answers.length>0?2:1,t.length-1],s=n.isBound()?o:t.findIndex(({question:i})=>i!==void 0&&n.answer(i)===void 0);for(s<0&&(s=o);s>r&&s<o&&t[s-1].question===void 0;)s-=1;return x.nextStep(t,s,1,e)}
var Lc=e=>(t,n)=>{e(t,n);let r=y(n.speech.words.later,()=>n.state.isSending||n.turnTo(kc),"leave");r.id="later",t.lastElementChild?.before(r)};
function Ic({state:{canWait:e,aside:t,step:n,ending:r}}){L("later").hidden=!e||t!==void 0||n===0||r!==void 0}
var $c=e=>(t,n,r)=>(["closed","replaced"].includes(n)&&Et(r)?.text&&dn(),e(t,n,r));
b({name:"later",shapes:mc,wrap:{openVisit:e=>t=>{e(t),yc(t)},renderConsent:bc,renderHeader:Lc,updateHeader:e=>t=>{e(t),Ic(t)},renderEnding:$c}});
