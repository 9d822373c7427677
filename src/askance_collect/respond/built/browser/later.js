var na=90,
Xr=864e5,
ra=6e5,
qr=16,
Tn=28,
oa=1024;
function sa({later:e}){p(y(e,na+1)&&e>0,"later")}
var $n=()=>`askance-later:${location.pathname}`,
Kt=()=>localStorage.removeItem($n()),
Ln=()=>Math.floor(Date.now()/Xr);
function ft({form:e,fingerprint:t}){try{let n=localStorage.getItem($n());if(n===null)return{};let[r,o]=n.split(" "),s=y(Number(o)-Ln(),e.later+1);return r===t&&s?{text:n}:(Kt(),{why:s?"changed":"expired"})}catch{return}}
var ia=()=>Array.from(Z(12),e=>He[e%32]).join(""),
In=e=>new TextEncoder().encode(e);
async function eo(e,t,n){let r=await crypto.subtle.importKey("raw",In(e),"PBKDF2",!1,["deriveKey"]),o={name:"PBKDF2",hash:"SHA-256",salt:t.slice(0,qr),iterations:ra},s=await crypto.subtle.deriveKey(o,r,{name:"AES-GCM",length:256},!1,["encrypt","decrypt"]);return[{name:"AES-GCM",iv:t.slice(qr,Tn),additionalData:In(n)},s]}
async function aa({form:e,fingerprint:t,draft:n},r){let{kept:o,answers:s,trails:i}=n.state(),a=n.isBound()?{kept:o,answers:[],trails:[]}:{kept:o,answers:s,trails:i},c=new Uint8Array(e.size+oa*e.questions.length).fill(32);c.set(In(JSON.stringify(a)));let d=Z(Tn),u=`${t} ${Ln()+e.later}`,l=await crypto.subtle.encrypt(...await eo(r,d,u),c),f=[...d,...new Uint8Array(l)];return`${u} ${btoa(f.map(g=>String.fromCharCode(g)).join(""))}`}
async function ca(e,t){let n=e.lastIndexOf(" "),r=Uint8Array.from(atob(e.slice(n)),s=>s.charCodeAt(0)),o=await crypto.subtle.decrypt(...await eo(t,r,e.slice(0,n)),r.slice(Tn));return JSON.parse(new TextDecoder().decode(o))}
var da=e=>(t,n)=>{let{words:r}=n.speech,o=h(n.state.canWait?r.laterOffer:r.laterNever,"hint");return[...e(t.slice(0,-1),n),o,...t.slice(-1)]};
function la(e){let t=ft(e),n=t?.why?oo(t.why):t?.text?ro:void 0;e.dispatch({type:"update",change:{canWait:t!==void 0,aside:n}})}
var to=e=>e.turnTo(void 0),
ua={render:fa,back:to};
function fa(e){let{speech:t,form:n}=e,{words:r}=t,o=b(r.back,()=>to(e));if(ft(e)?.text)return[A(r.later),h(r.laterTaken),S(o)];let s=new Intl.DateTimeFormat(t.language,{dateStyle:"long",timeZone:"UTC"}),{line:i,main:a}=no(r.putAway,e,pa);return[A(r.later),h(r.laterHow(s.format((Ln()+n.later)*Xr))),h(r.laterCode),h(r.laterSeen,"hint"),i,S(o,a)]}
function no(e,t,n){let{words:r}=t.speech,o=m("p",{id:"line"});o.setAttribute("role","status");let s=b(e,i,"main");async function i(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true"),Object.assign(o,{className:"status",textContent:r.wait});let a=await n(t,()=>s.isConnected);s.removeAttribute("aria-disabled"),Object.assign(o,{className:"complaint",textContent:a??""})}return{line:o,main:s}}
async function pa(e,t){let n=ia();try{let r=await aa(e,n);if(!t())return;localStorage.setItem($n(),r)}catch{return e.speech.words.laterFailed}return e.forget(),e.turnTo(ma(n))}
var ma=e=>({render:t=>[A(t.speech.words.yourCode),B("p","code away",Sr(e)),h(t.speech.words.writeDown),S(b(t.speech.words.codeDone,()=>t.turnTo(ro),"main"))]}),
ro={render:ha};
function ha(e){let{words:t}=e.speech,n=Ct(),{line:r,main:o}=no(t.goOn,e,async(s,i)=>{let a=await ga(e,it(n.value),i);return n.focus(),a});return n.setAttribute("aria-describedby",r.id),[A(t.resume),h(t.resumeHint),m("label",{htmlFor:n.id},t.yourCode),n,r,S(b(t.anew,()=>wa(e)),o)]}
async function ga(e,t,n){let{draft:r,form:o,speech:s}=e,{text:i,why:a}=ft(e)??{},c=i&&await ca(i,t).catch(()=>{});if(!n())return;if(i&&!c)return s.words.codeWrong;let d=i&&ft(e)?.text===i;return d&&Kt(),!d||!qe(o.questions,c.kept)?e.turnTo(oo(a??"taken")):(e.forget(),r.resume(c.kept),c.answers.forEach((u,l)=>u&&r.give(l,u)),c.trails.forEach((u,l)=>u&&Object.assign(r.trail(l),u)),e.resumeAt(ba))}
var oo=e=>({render:t=>[A(t.speech.words.erased),h(t.speech.words.erasedHint[e]),S(b(t.speech.words.proceed,()=>t.resumeAt(so),"main"))]});
function wa(e){Kt(),e.forget(),e.resumeAt(so)}
var so=({steps:e,draft:t})=>t.isBound()?e.length-1:0;
function ba(e){let{steps:t,draft:n}=e,[r,o]=[n.state().answers.length>0?2:1,t.length-1],s=n.isBound()?o:t.findIndex(({question:i})=>i!==void 0&&n.answer(i)===void 0);for(s<0&&(s=o);s>r&&s<o&&t[s-1].question===void 0;)s-=1;return x.nextStep(t,s,1,e)}
var ya=e=>(t,n)=>{e(t,n);let r=b(n.speech.words.later,()=>n.state.isSending||n.turnTo(ua),"leave");r.id="later",t.lastElementChild?.before(r)};
function ka({state:{canWait:e,aside:t,step:n,ending:r}}){L("later").hidden=!e||t!==void 0||n===0||r!==void 0}
var xa=e=>(t,n,r)=>(["closed","replaced"].includes(n)&&ft(r)?.text&&Kt(),e(t,n,r));
k({name:"later",detect:({later:e})=>e!==void 0,validate:sa,wrap:{openVisit:e=>t=>{e(t),la(t)},renderConsent:da,renderHeader:ya,updateHeader:e=>t=>{e(t),ka(t)},renderEnding:xa}});
