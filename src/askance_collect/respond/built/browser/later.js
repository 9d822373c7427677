var MOST_DAYS=90,
DAY=864e5,
ROUNDS=6e5,
SALT=16,
DRAWN=28,
ROOM=1024;
function validateLater({later:e}){assert(isIndex(e,MOST_DAYS+1)&&e>0,"later")}
var storageKey=()=>`askance-later:${location.pathname}`,
clear=()=>localStorage.removeItem(storageKey()),
today=()=>Math.floor(Date.now()/DAY);
function findStored({form:e,fingerprint:t}){try{const n=localStorage.getItem(storageKey());if(n===null)return{};const[r,o]=n.split(" "),a=isIndex(Number(o)-today(),e.later+1);return r===t&&a?{text:n}:(clear(),{why:a?"changed":"expired"})}catch{return}}
var newCode=()=>Array.from(systemBytes(12),e=>LETTERS[e%32]).join(""),
bytesOf=e=>new TextEncoder().encode(e);
async function deriveCipher(e,t,n){const r=await crypto.subtle.importKey("raw",bytesOf(e),"PBKDF2",!1,["deriveKey"]),o={name:"PBKDF2",hash:"SHA-256",salt:t.slice(0,SALT),iterations:ROUNDS},a=await crypto.subtle.deriveKey(o,r,{name:"AES-GCM",length:256},!1,["encrypt","decrypt"]);return[{name:"AES-GCM",iv:t.slice(SALT,DRAWN),additionalData:bytesOf(n)},a]}
async function lock({form:e,fingerprint:t,draft:n},r){const{kept:o,answers:a,trails:s}=n.state(),c=n.isBound()?{kept:o,answers:[],trails:[]}:{kept:o,answers:a,trails:s},d=new Uint8Array(e.size+ROOM*e.questions.length).fill(32);d.set(bytesOf(JSON.stringify(c)));const l=systemBytes(DRAWN),i=`${t} ${today()+e.later}`,u=await crypto.subtle.encrypt(...await deriveCipher(r,l,i),d),p=[...l,...new Uint8Array(u)];return`${i} ${btoa(p.map(h=>String.fromCharCode(h)).join(""))}`}
async function unlock(e,t){const n=e.lastIndexOf(" "),r=Uint8Array.from(atob(e.slice(n)),a=>a.charCodeAt(0)),o=await crypto.subtle.decrypt(...await deriveCipher(t,r,e.slice(0,n)),r.slice(DRAWN));return JSON.parse(new TextDecoder().decode(o))}
var offerLater=e=>(t,n)=>{const{words:r}=n.speech,o=paragraph(n.state.canWait?r.laterOffer:r.laterNever,"hint");return[...e(t.slice(0,-1),n),o,...t.slice(-1)]};
function openLater(e){const t=findStored(e),n=t?.why?erasedScreen(t.why):t?.text?unlockScreen:void 0;e.dispatch({type:"update",change:{canWait:t!==void 0,aside:n}})}
var closeAside=e=>e.turnTo(void 0),
awayScreen={render:renderAway,back:closeAside};
function renderAway(e){const{speech:t,form:n}=e,{words:r}=t,o=button(r.back,()=>closeAside(e));if(findStored(e)?.text)return[heading(r.later),paragraph(r.laterTaken),buttons(o)];const a=new Intl.DateTimeFormat(t.language,{dateStyle:"long",timeZone:"UTC"}),{line:s,main:c}=slowButton(r.putAway,e,storeVisit);return[heading(r.later),paragraph(r.laterHow(a.format((today()+n.later)*DAY))),paragraph(r.laterCode),paragraph(r.laterSeen,"hint"),s,buttons(o,c)]}
function slowButton(e,t,n){const{words:r}=t.speech,o=element("p",{id:"line"});o.setAttribute("role","status");const a=button(e,s,"main");async function s(){if(a.hasAttribute("aria-disabled"))return;a.setAttribute("aria-disabled","true"),Object.assign(o,{className:"status",textContent:r.wait});const c=await n(t,()=>a.isConnected);a.removeAttribute("aria-disabled"),Object.assign(o,{className:"complaint",textContent:c??""})}return{line:o,main:a}}
async function storeVisit(e,t){const n=newCode();try{const r=await lock(e,n);if(!t())return;localStorage.setItem(storageKey(),r)}catch{return e.speech.words.laterFailed}return e.forget(),e.turnTo(codeScreen(n))}
var codeScreen=e=>({render:t=>[heading(t.speech.words.yourCode),privateElement("p","code away",spaced(e)),paragraph(t.speech.words.writeDown),buttons(button(t.speech.words.codeDone,()=>t.turnTo(unlockScreen),"main"))]}),
unlockScreen={render:renderUnlock};
function renderUnlock(e){const{words:t}=e.speech,n=codeInput(),{line:r,main:o}=slowButton(t.goOn,e,async(a,s)=>{const c=await resumeVisit(e,codeIn(n.value),s);return n.focus(),c});return n.setAttribute("aria-describedby",r.id),[heading(t.resume),paragraph(t.resumeHint),element("label",{htmlFor:n.id},t.yourCode),n,r,buttons(button(t.anew,()=>beginAnew(e)),o)]}
async function resumeVisit(e,t,n){const{draft:r,form:o,speech:a}=e,{text:s,why:c}=findStored(e)??{},d=s&&await unlock(s,t).catch(()=>{});if(!n())return;if(s&&!d)return a.words.codeWrong;const l=s&&findStored(e)?.text===s;return l&&clear(),!l||!isComplete(o.questions,d.kept)?e.turnTo(erasedScreen(c??"taken")):(e.forget(),r.resume(d.kept),d.answers.forEach((i,u)=>i&&r.give(u,i)),d.trails.forEach((i,u)=>i&&Object.assign(r.trail(u),i)),e.resumeAt(whereLeft))}
var erasedScreen=e=>({render:t=>[heading(t.speech.words.erased),paragraph(t.speech.words.erasedHint[e]),buttons(button(t.speech.words.proceed,()=>t.resumeAt(firstStep),"main"))]});
function beginAnew(e){clear(),e.forget(),e.resumeAt(firstStep)}
var firstStep=({steps:e,draft:t})=>t.isBound()?e.length-1:0;
function whereLeft(e){const{steps:t,draft:n}=e,[r,o]=[n.state().answers.length>0?2:1,t.length-1];let a=n.isBound()?o:t.findIndex(({question:s})=>s!==void 0&&n.answer(s)===void 0);for(a<0&&(a=o);a>r&&a<o&&t[a-1].question===void 0;)a-=1;return hooks.nextStep(t,a,1,e)}
var linkLater=e=>(t,n)=>{e(t,n);const r=button(n.speech.words.later,()=>n.state.isSending||n.turnTo(awayScreen),"leave");r.id="later",t.lastElementChild?.before(r)};
function offerLink({state:{canWait:e,aside:t,step:n,ending:r}}){partOf("later").hidden=!e||t!==void 0||n===0||r!==void 0}
var endLater=e=>(t,n,r)=>(["closed","replaced"].includes(n)&&findStored(r)?.text&&clear(),e(t,n,r));
register({name:"later",detect:({later:e})=>e!==void 0,validate:validateLater,wrap:{openVisit:e=>t=>{e(t),openLater(t)},renderConsent:offerLater,renderHeader:linkLater,updateHeader:e=>t=>{e(t),offerLink(t)},renderEnding:endLater}});
