var Fo=864e5,
Ka=6e5,
Do=16,
qn=28,
_a=1024,
Ga={later:[1,90]},
er=()=>`askance-later:${location.pathname}`,
rn=()=>localStorage.removeItem(er()),
tr=()=>Math.floor(Date.now()/Fo);
function St({form:e,fingerprint:t}){try{let n=localStorage.getItem(er());if(n===null)return{};let[r,o]=n.split(" "),s=$(Number(o)-tr(),e.later+1);return r===t&&s?{text:n}:(rn(),{why:s?"changed":"expired"})}catch{return}}
var za=()=>Array.from(X(12),e=>Ve[e%32]).join(""),
nr=e=>new TextEncoder().encode(e);
async function Mo(e,t,n){let r=await crypto.subtle.importKey("raw",nr(e),"PBKDF2",!1,["deriveKey"]),o={name:"PBKDF2",hash:"SHA-256",salt:t.slice(0,Do),iterations:Ka},s=await crypto.subtle.deriveKey(o,r,{name:"AES-GCM",length:256},!1,["encrypt","decrypt"]);return[{name:"AES-GCM",iv:t.slice(Do,qn),additionalData:nr(n)},s]}
async function Va({form:e,fingerprint:t,draft:n},r){let{kept:o,answers:s,trails:i}=n.state(),a=n.isBound()?{kept:o,answers:[],trails:[]}:{kept:o,answers:s,trails:i},c=new Uint8Array(e.size+_a*e.questions.length).fill(32);c.set(nr(JSON.stringify(a)));let d=X(qn),u=`${t} ${tr()+e.later}`,l=await crypto.subtle.encrypt(...await Mo(r,d,u),c),f=[...d,...new Uint8Array(l)];return`${u} ${btoa(f.map(m=>String.fromCharCode(m)).join(""))}`}
async function Qa(e,t){let n=e.lastIndexOf(" "),r=Uint8Array.from(atob(e.slice(n)),s=>s.charCodeAt(0)),o=await crypto.subtle.decrypt(...await Mo(t,r,e.slice(0,n)),r.slice(qn));return JSON.parse(new TextDecoder().decode(o))}
var Ja=e=>(t,n)=>{let{words:r}=n.speech,o=h(n.state.canWait?r.laterOffer:r.laterNever,"hint");return[...e(t.slice(0,-1),n),o,...t.slice(-1)]};
function Za(e){let t=St(e),n=t?.why?_o(t.why):t?.text?Ko:void 0;e.dispatch({type:"update",change:{canWait:t!==void 0,aside:n}})}
var Uo=e=>e.turnTo(void 0),
Xa={render:Ya,back:Uo};
function Ya(e){let{speech:t,form:n}=e,{words:r}=t,o=b(r.back,()=>Uo(e));if(St(e)?.text)return[A(r.later),h(r.laterTaken),S(o)];let s=new Intl.DateTimeFormat(t.language,{dateStyle:"long",timeZone:"UTC"}),{line:i,main:a}=Wo(r.putAway,e,qa);return[A(r.later),h(r.laterHow(s.format((tr()+n.later)*Fo))),h(r.laterCode),h(r.laterSeen,"hint"),i,S(o,a)]}
function Wo(e,t,n){let{words:r}=t.speech,o=p("p",{id:"line"});o.setAttribute("role","status");let s=b(e,i,"main");async function i(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true"),Object.assign(o,{className:"status",textContent:r.wait});let a=await n(t,()=>s.isConnected);s.removeAttribute("aria-disabled"),Object.assign(o,{className:"complaint",textContent:a??""})}return{line:o,main:s}}
async function qa(e,t){let n=za();try{let r=await Va(e,n);if(!t())return;localStorage.setItem(er(),r)}catch{return e.speech.words.laterFailed}return e.forget(),e.turnTo(ec(n))}
var ec=e=>({render:t=>[A(t.speech.words.yourCode),P("p","code away",eo(e)),h(t.speech.words.writeDown),S(b(t.speech.words.codeDone,()=>t.turnTo(Ko),"main"))]}),
Ko={render:tc};
function tc(e){let{words:t}=e.speech,n=Gt(),{line:r,main:o}=Wo(t.goOn,e,async(s,i)=>{let a=await nc(e,gt(n.value),i);return a&&n.setAttribute("aria-invalid","true"),n.focus(),a});return n.addEventListener("input",()=>n.removeAttribute("aria-invalid")),n.setAttribute("aria-describedby",r.id),[A(t.resume),h(t.resumeHint),p("label",{htmlFor:n.id},t.yourCode),n,r,S(b(t.anew,()=>rc(e)),o)]}
async function nc(e,t,n){let{draft:r,form:o,speech:s}=e,{text:i,why:a}=St(e)??{},c=i&&await Qa(i,t).catch(()=>{});if(!n())return;if(i&&!c)return s.words.codeWrong;let d=i&&St(e)?.text===i;return d&&rn(),!d||!dt(o.questions,c.kept)?e.turnTo(_o(a??"taken")):(e.forget(),r.resume(c.kept),c.answers.forEach((u,l)=>u&&r.give(l,u)),c.trails.forEach((u,l)=>u&&Object.assign(r.trail(l),u)),e.resumeAt(oc))}
var _o=e=>({render:t=>[A(t.speech.words.erased),h(t.speech.words.erasedHint[e]),S(b(t.speech.words.proceed,()=>t.resumeAt(Go),"main"))]});
function rc(e){rn(),e.forget(),e.resumeAt(Go)}
var Go=({steps:e,draft:t})=>t.isBound()?e.length-1:0;
function oc(e){let{steps:t,draft:n}=e,[r,o]=[n.state().answers.length>0?2:1,t.length-1],s=n.isBound()?o:t.findIndex(({question:i})=>i!==void 0&&n.answer(i)===void 0);for(s<0&&(s=o);s>r&&s<o&&t[s-1].question===void 0;)s-=1;return x.nextStep(t,s,1,e)}
var sc=e=>(t,n)=>{e(t,n);let r=b(n.speech.words.later,()=>n.state.isSending||n.turnTo(Xa),"leave");r.id="later",t.lastElementChild?.before(r)};
function ic({state:{canWait:e,aside:t,step:n,ending:r}}){N("later").hidden=!e||t!==void 0||n===0||r!==void 0}
var ac=e=>(t,n,r)=>(["closed","replaced"].includes(n)&&St(r)?.text&&rn(),e(t,n,r));
k({name:"later",shapes:Ga,wrap:{openVisit:e=>t=>{e(t),Za(t)},renderConsent:Ja,renderHeader:sc,updateHeader:e=>t=>{e(t),ic(t)},renderEnding:ac}});
var Ho=864e5,
Wa=6e5,
Po=16,
Yn=28,
Ka=1024,
_a={later:[1,90]},
qn=()=>`askance-later:${location.pathname}`,
tn=()=>localStorage.removeItem(qn()),
er=()=>Math.floor(Date.now()/Ho);
function xt({form:e,fingerprint:t}){try{let n=localStorage.getItem(qn());if(n===null)return{};let[r,o]=n.split(" "),s=$(Number(o)-er(),e.later+1);return r===t&&s?{text:n}:(tn(),{why:s?"changed":"expired"})}catch{return}}
var Ga=()=>Array.from(X(12),e=>Ge[e%32]).join(""),
tr=e=>new TextEncoder().encode(e);
async function Fo(e,t,n){let r=await crypto.subtle.importKey("raw",tr(e),"PBKDF2",!1,["deriveKey"]),o={name:"PBKDF2",hash:"SHA-256",salt:t.slice(0,Po),iterations:Wa},s=await crypto.subtle.deriveKey(o,r,{name:"AES-GCM",length:256},!1,["encrypt","decrypt"]);return[{name:"AES-GCM",iv:t.slice(Po,Yn),additionalData:tr(n)},s]}
async function za({form:e,fingerprint:t,draft:n},r){let{kept:o,answers:s,trails:i}=n.state(),a=n.isBound()?{kept:o,answers:[],trails:[]}:{kept:o,answers:s,trails:i},c=new Uint8Array(e.size+Ka*e.questions.length).fill(32);c.set(tr(JSON.stringify(a)));let d=X(Yn),u=`${t} ${er()+e.later}`,l=await crypto.subtle.encrypt(...await Fo(r,d,u),c),f=[...d,...new Uint8Array(l)];return`${u} ${btoa(f.map(p=>String.fromCharCode(p)).join(""))}`}
async function Va(e,t){let n=e.lastIndexOf(" "),r=Uint8Array.from(atob(e.slice(n)),s=>s.charCodeAt(0)),o=await crypto.subtle.decrypt(...await Fo(t,r,e.slice(0,n)),r.slice(Yn));return JSON.parse(new TextDecoder().decode(o))}
var Qa=e=>(t,n)=>{let{words:r}=n.speech,o=h(n.state.canWait?r.laterOffer:r.laterNever,"hint");return[...e(t.slice(0,-1),n),o,...t.slice(-1)]};
function Ja(e){let t=xt(e),n=t?.why?Wo(t.why):t?.text?Mo:void 0;e.dispatch({type:"update",change:{canWait:t!==void 0,aside:n}})}
var Do=e=>e.turnTo(void 0),
Za={render:Xa,back:Do};
function Xa(e){let{speech:t,form:n}=e,{words:r}=t,o=w(r.back,()=>Do(e));if(xt(e)?.text)return[O(r.later),h(r.laterTaken),S(o)];let s=new Intl.DateTimeFormat(t.language,{dateStyle:"long",timeZone:"UTC"}),{line:i,main:a}=Uo(r.putAway,e,Ya);return[O(r.later),h(r.laterHow(s.format((er()+n.later)*Ho))),h(r.laterCode),h(r.laterSeen,"hint"),i,S(o,a)]}
function Uo(e,t,n){let{words:r}=t.speech,o=m("p",{id:"line"});o.setAttribute("role","status");let s=w(e,i,"main");async function i(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true"),Object.assign(o,{className:"status",textContent:r.wait});let a=await n(t,()=>s.isConnected);s.removeAttribute("aria-disabled"),Object.assign(o,{className:"complaint",textContent:a??""})}return{line:o,main:s}}
async function Ya(e,t){let n=Ga();try{let r=await za(e,n);if(!t())return;localStorage.setItem(qn(),r)}catch{return e.speech.words.laterFailed}return e.forget(),e.turnTo(qa(n))}
var qa=e=>({render:t=>[O(t.speech.words.yourCode),H("p","code away",eo(e)),h(t.speech.words.writeDown),S(w(t.speech.words.codeDone,()=>t.turnTo(Mo),"main"))]}),
Mo={render:ec};
function ec(e){let{words:t}=e.speech,n=Kt(),{line:r,main:o}=Uo(t.goOn,e,async(s,i)=>{let a=await tc(e,ht(n.value),i);return a&&n.setAttribute("aria-invalid","true"),n.focus(),a});return n.addEventListener("input",()=>n.removeAttribute("aria-invalid")),n.setAttribute("aria-describedby",r.id),[O(t.resume),h(t.resumeHint),m("label",{htmlFor:n.id},t.yourCode),n,r,S(w(t.anew,()=>nc(e)),o)]}
async function tc(e,t,n){let{draft:r,form:o,speech:s}=e,{text:i,why:a}=xt(e)??{},c=i&&await Va(i,t).catch(()=>{});if(!n())return;if(i&&!c)return s.words.codeWrong;let d=i&&xt(e)?.text===i;return d&&tn(),!d||!ct(o.questions,c.kept)?e.turnTo(Wo(a??"taken")):(e.forget(),r.resume(c.kept),c.answers.forEach((u,l)=>u&&r.give(l,u)),c.trails.forEach((u,l)=>u&&Object.assign(r.trail(l),u)),e.resumeAt(rc))}
var Wo=e=>({render:t=>[O(t.speech.words.erased),h(t.speech.words.erasedHint[e]),S(w(t.speech.words.proceed,()=>t.resumeAt(Ko),"main"))]});
function nc(e){tn(),e.forget(),e.resumeAt(Ko)}
var Ko=({steps:e,draft:t})=>t.isBound()?e.length-1:0;
function rc(e){let{steps:t,draft:n}=e,[r,o]=[n.state().answers.length>0?2:1,t.length-1],s=n.isBound()?o:t.findIndex(({question:i})=>i!==void 0&&n.answer(i)===void 0);for(s<0&&(s=o);s>r&&s<o&&t[s-1].question===void 0;)s-=1;return x.nextStep(t,s,1,e)}
var oc=e=>(t,n)=>{e(t,n);let r=w(n.speech.words.later,()=>n.state.isSending||n.turnTo(Za),"leave");r.id="later",t.lastElementChild?.before(r)};
function sc({state:{canWait:e,aside:t,step:n,ending:r}}){T("later").hidden=!e||t!==void 0||n===0||r!==void 0}
var ic=e=>(t,n,r)=>(["closed","replaced"].includes(n)&&xt(r)?.text&&tn(),e(t,n,r));
y({name:"later",shapes:_a,wrap:{openVisit:e=>t=>{e(t),Ja(t)},renderConsent:Qa,renderHeader:oc,updateHeader:e=>t=>{e(t),sc(t)},renderEnding:ic}});
