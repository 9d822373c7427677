var Uo=864e5,
oc=6e5,
Wo=16,
rr=28,
sc=1024,
ic={later:[1,90]},
or=()=>`askance-later:${location.pathname}`,
an=()=>localStorage.removeItem(or()),
sr=()=>Math.floor(Date.now()/Uo);
function At({form:e,fingerprint:t}){try{let n=localStorage.getItem(or());if(n===null)return{};let[r,o]=n.split(" "),s=C(Number(o)-sr(),e.later+1);return r===t&&s?{text:n}:(an(),{why:s?"changed":"expired"})}catch{return}}
var ac=()=>Array.from(ee(12),e=>Je[e%32]).join(""),
ir=e=>new TextEncoder().encode(e);
async function Ko(e,t,n){let r=await crypto.subtle.importKey("raw",ir(e),"PBKDF2",!1,["deriveKey"]),o={name:"PBKDF2",hash:"SHA-256",salt:t.slice(0,Wo),iterations:oc},s=await crypto.subtle.deriveKey(o,r,{name:"AES-GCM",length:256},!1,["encrypt","decrypt"]);return[{name:"AES-GCM",iv:t.slice(Wo,rr),additionalData:ir(n)},s]}
async function cc({form:e,fingerprint:t,draft:n},r){let{kept:o,answers:s,trails:i}=n.state(),a=n.isBound()?{kept:o,answers:[],trails:[]}:{kept:o,answers:s,trails:i},c=new Uint8Array(e.size+sc*e.questions.length).fill(32);c.set(ir(JSON.stringify(a)));let d=ee(rr),u=`${t} ${sr()+e.later}`,l=await crypto.subtle.encrypt(...await Ko(r,d,u),c),f=[...d,...new Uint8Array(l)];return`${u} ${btoa(f.map(m=>String.fromCharCode(m)).join(""))}`}
async function dc(e,t){let n=e.lastIndexOf(" "),r=Uint8Array.from(atob(e.slice(n)),s=>s.charCodeAt(0)),o=await crypto.subtle.decrypt(...await Ko(t,r,e.slice(0,n)),r.slice(rr));return JSON.parse(new TextDecoder().decode(o))}
var lc=e=>(t,n)=>{let{words:r}=n.speech,o=h(n.state.canWait?r.laterOffer:r.laterNever,"hint");return[...e(t.slice(0,-1),n),o,...t.slice(-1)]};
function uc(e){let t=At(e),n=t?.why?Vo(t.why):t?.text?zo:void 0;e.dispatch({type:"update",change:{canWait:t!==void 0,aside:n}})}
var _o=e=>e.turnTo(void 0),
fc={render:pc,back:_o};
function pc(e){let{speech:t,form:n}=e,{words:r}=t,o=y(r.back,()=>_o(e));if(At(e)?.text)return[E(r.later),h(r.laterTaken),S(o)];let s=new Intl.DateTimeFormat(t.language,{dateStyle:"long",timeZone:"UTC"}),{line:i,main:a}=Go(r.putAway,e,mc);return[E(r.later),h(r.laterHow(s.format((sr()+n.later)*Uo))),h(r.laterCode),h(r.laterSeen,"hint"),i,S(o,a)]}
function Go(e,t,n){let{words:r}=t.speech,o=p("p",{id:"line"});o.setAttribute("role","status");let s=y(e,i,"main");async function i(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true"),Object.assign(o,{className:"status",textContent:r.wait});let a=await n(t,()=>s.isConnected);s.removeAttribute("aria-disabled"),Object.assign(o,{className:"complaint",textContent:a??""})}return{line:o,main:s}}
async function mc(e,t){let n=ac();try{let r=await cc(e,n);if(!t())return;localStorage.setItem(or(),r)}catch{return e.speech.words.laterFailed}return e.forget(),e.turnTo(hc(n))}
var hc=e=>({render:t=>[E(t.speech.words.yourCode),P("p","code away",ro(e)),h(t.speech.words.writeDown),S(y(t.speech.words.codeDone,()=>t.turnTo(zo),"main"))]}),
zo={render:gc};
function gc(e){let{words:t}=e.speech,n=zt(),{line:r,main:o}=Go(t.goOn,e,async(s,i)=>{let a=await wc(e,gt(n.value),i);return a&&n.setAttribute("aria-invalid","true"),n.focus(),a});return n.addEventListener("input",()=>n.removeAttribute("aria-invalid")),n.setAttribute("aria-describedby",r.id),[E(t.resume),h(t.resumeHint),p("label",{htmlFor:n.id},t.yourCode),n,r,S(y(t.anew,()=>bc(e)),o)]}
async function wc(e,t,n){let{draft:r,form:o,speech:s}=e,{text:i,why:a}=At(e)??{},c=i&&await dc(i,t).catch(()=>{});if(!n())return;if(i&&!c)return s.words.codeWrong;let d=i&&At(e)?.text===i;return d&&an(),!d||!lt(o.questions,c.kept)?e.turnTo(Vo(a??"taken")):(e.forget(),r.resume(c.kept),c.answers.forEach((u,l)=>u&&r.give(l,u)),c.trails.forEach((u,l)=>u&&Object.assign(r.trail(l),u)),e.resumeAt(yc))}
var Vo=e=>({render:t=>[E(t.speech.words.erased),h(t.speech.words.erasedHint[e]),S(y(t.speech.words.proceed,()=>t.resumeAt(Qo),"main"))]});
function bc(e){an(),e.forget(),e.resumeAt(Qo)}
var Qo=({steps:e,draft:t})=>t.isBound()?e.length-1:0;
function yc(e){let{steps:t,draft:n}=e,[r,o]=[n.state().answers.length>0?2:1,t.length-1],s=n.isBound()?o:t.findIndex(({question:i})=>i!==void 0&&n.answer(i)===void 0);for(s<0&&(s=o);s>r&&s<o&&t[s-1].question===void 0;)s-=1;return x.nextStep(t,s,1,e)}
var kc=e=>(t,n)=>{e(t,n);let r=y(n.speech.words.later,()=>n.state.isSending||n.turnTo(fc),"leave");r.id="later",t.lastElementChild?.before(r)};
function xc({state:{canWait:e,aside:t,step:n,ending:r}}){L("later").hidden=!e||t!==void 0||n===0||r!==void 0}
var Sc=e=>(t,n,r)=>(["closed","replaced"].includes(n)&&At(r)?.text&&an(),e(t,n,r));
b({name:"later",shapes:ic,wrap:{openVisit:e=>t=>{e(t),uc(t)},renderConsent:lc,renderHeader:kc,updateHeader:e=>t=>{e(t),xc(t)},renderEnding:Sc}});
