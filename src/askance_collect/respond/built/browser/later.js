var vo=864e5,
Pa=6e5,
jo=16,
Xn=28,
Fa=1024,
Da={later:[1,90]},
Yn=()=>`askance-later:${location.pathname}`,
tn=()=>localStorage.removeItem(Yn()),
qn=()=>Math.floor(Date.now()/vo);
function xt({form:e,fingerprint:t}){try{let n=localStorage.getItem(Yn());if(n===null)return{};let[r,o]=n.split(" "),s=$(Number(o)-qn(),e.later+1);return r===t&&s?{text:n}:(tn(),{why:s?"changed":"expired"})}catch{return}}
var Ma=()=>Array.from(Y(12),e=>Ge[e%32]).join(""),
er=e=>new TextEncoder().encode(e);
async function Bo(e,t,n){let r=await crypto.subtle.importKey("raw",er(e),"PBKDF2",!1,["deriveKey"]),o={name:"PBKDF2",hash:"SHA-256",salt:t.slice(0,jo),iterations:Pa},s=await crypto.subtle.deriveKey(o,r,{name:"AES-GCM",length:256},!1,["encrypt","decrypt"]);return[{name:"AES-GCM",iv:t.slice(jo,Xn),additionalData:er(n)},s]}
async function Ua({form:e,fingerprint:t,draft:n},r){let{kept:o,answers:s,trails:i}=n.state(),a=n.isBound()?{kept:o,answers:[],trails:[]}:{kept:o,answers:s,trails:i},c=new Uint8Array(e.size+Fa*e.questions.length).fill(32);c.set(er(JSON.stringify(a)));let d=Y(Xn),u=`${t} ${qn()+e.later}`,l=await crypto.subtle.encrypt(...await Bo(r,d,u),c),f=[...d,...new Uint8Array(l)];return`${u} ${btoa(f.map(m=>String.fromCharCode(m)).join(""))}`}
async function Wa(e,t){let n=e.lastIndexOf(" "),r=Uint8Array.from(atob(e.slice(n)),s=>s.charCodeAt(0)),o=await crypto.subtle.decrypt(...await Bo(t,r,e.slice(0,n)),r.slice(Xn));return JSON.parse(new TextDecoder().decode(o))}
var Ka=e=>(t,n)=>{let{words:r}=n.speech,o=h(n.state.canWait?r.laterOffer:r.laterNever,"hint");return[...e(t.slice(0,-1),n),o,...t.slice(-1)]};
function _a(e){let t=xt(e),n=t?.why?Do(t.why):t?.text?Fo:void 0;e.dispatch({type:"update",change:{canWait:t!==void 0,aside:n}})}
var Ho=e=>e.turnTo(void 0),
Ga={render:za,back:Ho};
function za(e){let{speech:t,form:n}=e,{words:r}=t,o=w(r.back,()=>Ho(e));if(xt(e)?.text)return[O(r.later),h(r.laterTaken),S(o)];let s=new Intl.DateTimeFormat(t.language,{dateStyle:"long",timeZone:"UTC"}),{line:i,main:a}=Po(r.putAway,e,Va);return[O(r.later),h(r.laterHow(s.format((qn()+n.later)*vo))),h(r.laterCode),h(r.laterSeen,"hint"),i,S(o,a)]}
function Po(e,t,n){let{words:r}=t.speech,o=p("p",{id:"line"});o.setAttribute("role","status");let s=w(e,i,"main");async function i(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true"),Object.assign(o,{className:"status",textContent:r.wait});let a=await n(t,()=>s.isConnected);s.removeAttribute("aria-disabled"),Object.assign(o,{className:"complaint",textContent:a??""})}return{line:o,main:s}}
async function Va(e,t){let n=Ma();try{let r=await Ua(e,n);if(!t())return;localStorage.setItem(Yn(),r)}catch{return e.speech.words.laterFailed}return e.forget(),e.turnTo(Qa(n))}
var Qa=e=>({render:t=>[O(t.speech.words.yourCode),H("p","code away",Zr(e)),h(t.speech.words.writeDown),S(w(t.speech.words.codeDone,()=>t.turnTo(Fo),"main"))]}),
Fo={render:Ja};
function Ja(e){let{words:t}=e.speech,n=Kt(),{line:r,main:o}=Po(t.goOn,e,async(s,i)=>{let a=await Za(e,ht(n.value),i);return a&&n.setAttribute("aria-invalid","true"),n.focus(),a});return n.addEventListener("input",()=>n.removeAttribute("aria-invalid")),n.setAttribute("aria-describedby",r.id),[O(t.resume),h(t.resumeHint),p("label",{htmlFor:n.id},t.yourCode),n,r,S(w(t.anew,()=>Xa(e)),o)]}
async function Za(e,t,n){let{draft:r,form:o,speech:s}=e,{text:i,why:a}=xt(e)??{},c=i&&await Wa(i,t).catch(()=>{});if(!n())return;if(i&&!c)return s.words.codeWrong;let d=i&&xt(e)?.text===i;return d&&tn(),!d||!ct(o.questions,c.kept)?e.turnTo(Do(a??"taken")):(e.forget(),r.resume(c.kept),c.answers.forEach((u,l)=>u&&r.give(l,u)),c.trails.forEach((u,l)=>u&&Object.assign(r.trail(l),u)),e.resumeAt(Ya))}
var Do=e=>({render:t=>[O(t.speech.words.erased),h(t.speech.words.erasedHint[e]),S(w(t.speech.words.proceed,()=>t.resumeAt(Mo),"main"))]});
function Xa(e){tn(),e.forget(),e.resumeAt(Mo)}
var Mo=({steps:e,draft:t})=>t.isBound()?e.length-1:0;
function Ya(e){let{steps:t,draft:n}=e,[r,o]=[n.state().answers.length>0?2:1,t.length-1],s=n.isBound()?o:t.findIndex(({question:i})=>i!==void 0&&n.answer(i)===void 0);for(s<0&&(s=o);s>r&&s<o&&t[s-1].question===void 0;)s-=1;return x.nextStep(t,s,1,e)}
var qa=e=>(t,n)=>{e(t,n);let r=w(n.speech.words.later,()=>n.state.isSending||n.turnTo(Ga),"leave");r.id="later",t.lastElementChild?.before(r)};
function ec({state:{canWait:e,aside:t,step:n,ending:r}}){N("later").hidden=!e||t!==void 0||n===0||r!==void 0}
var tc=e=>(t,n,r)=>(["closed","replaced"].includes(n)&&xt(r)?.text&&tn(),e(t,n,r));
y({name:"later",shapes:Da,wrap:{openVisit:e=>t=>{e(t),_a(t)},renderConsent:Ka,renderHeader:qa,updateHeader:e=>t=>{e(t),ec(t)},renderEnding:tc}});
