var ia=90,
to=864e5,
aa=6e5,
no=16,
In=28,
ca=1024;
function da({later:e}){p(y(e,ia+1)&&e>0,"later")}
var Nn=()=>`askance-later:${location.pathname}`,
Gt=()=>localStorage.removeItem(Nn()),
Cn=()=>Math.floor(Date.now()/to);
function mt({form:e,fingerprint:t}){try{let n=localStorage.getItem(Nn());if(n===null)return{};let[r,o]=n.split(" "),s=y(Number(o)-Cn(),e.later+1);return r===t&&s?{text:n}:(Gt(),{why:s?"changed":"expired"})}catch{return}}
var la=()=>Array.from(Y(12),e=>Me[e%32]).join(""),
vn=e=>new TextEncoder().encode(e);
async function ro(e,t,n){let r=await crypto.subtle.importKey("raw",vn(e),"PBKDF2",!1,["deriveKey"]),o={name:"PBKDF2",hash:"SHA-256",salt:t.slice(0,no),iterations:aa},s=await crypto.subtle.deriveKey(o,r,{name:"AES-GCM",length:256},!1,["encrypt","decrypt"]);return[{name:"AES-GCM",iv:t.slice(no,In),additionalData:vn(n)},s]}
async function ua({form:e,fingerprint:t,draft:n},r){let{kept:o,answers:s,trails:i}=n.state(),a=n.isBound()?{kept:o,answers:[],trails:[]}:{kept:o,answers:s,trails:i},c=new Uint8Array(e.size+ca*e.questions.length).fill(32);c.set(vn(JSON.stringify(a)));let d=Y(In),u=`${t} ${Cn()+e.later}`,l=await crypto.subtle.encrypt(...await ro(r,d,u),c),f=[...d,...new Uint8Array(l)];return`${u} ${btoa(f.map(g=>String.fromCharCode(g)).join(""))}`}
async function fa(e,t){let n=e.lastIndexOf(" "),r=Uint8Array.from(atob(e.slice(n)),s=>s.charCodeAt(0)),o=await crypto.subtle.decrypt(...await ro(t,r,e.slice(0,n)),r.slice(In));return JSON.parse(new TextDecoder().decode(o))}
var pa=e=>(t,n)=>{let{words:r}=n.speech,o=h(n.state.canWait?r.laterOffer:r.laterNever,"hint");return[...e(t.slice(0,-1),n),o,...t.slice(-1)]};
function ma(e){let t=mt(e),n=t?.why?ao(t.why):t?.text?io:void 0;e.dispatch({type:"update",change:{canWait:t!==void 0,aside:n}})}
var oo=e=>e.turnTo(void 0),
ha={render:ga,back:oo};
function ga(e){let{speech:t,form:n}=e,{words:r}=t,o=b(r.back,()=>oo(e));if(mt(e)?.text)return[A(r.later),h(r.laterTaken),S(o)];let s=new Intl.DateTimeFormat(t.language,{dateStyle:"long",timeZone:"UTC"}),{line:i,main:a}=so(r.putAway,e,wa);return[A(r.later),h(r.laterHow(s.format((Cn()+n.later)*to))),h(r.laterCode),h(r.laterSeen,"hint"),i,S(o,a)]}
function so(e,t,n){let{words:r}=t.speech,o=m("p",{id:"line"});o.setAttribute("role","status");let s=b(e,i,"main");async function i(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true"),Object.assign(o,{className:"status",textContent:r.wait});let a=await n(t,()=>s.isConnected);s.removeAttribute("aria-disabled"),Object.assign(o,{className:"complaint",textContent:a??""})}return{line:o,main:s}}
async function wa(e,t){let n=la();try{let r=await ua(e,n);if(!t())return;localStorage.setItem(Nn(),r)}catch{return e.speech.words.laterFailed}return e.forget(),e.turnTo(ba(n))}
var ba=e=>({render:t=>[A(t.speech.words.yourCode),B("p","code away",Tr(e)),h(t.speech.words.writeDown),S(b(t.speech.words.codeDone,()=>t.turnTo(io),"main"))]}),
io={render:ya};
function ya(e){let{words:t}=e.speech,n=Rt(),{line:r,main:o}=so(t.goOn,e,async(s,i)=>{let a=await ka(e,ct(n.value),i);return n.focus(),a});return n.setAttribute("aria-describedby",r.id),[A(t.resume),h(t.resumeHint),m("label",{htmlFor:n.id},t.yourCode),n,r,S(b(t.anew,()=>xa(e)),o)]}
async function ka(e,t,n){let{draft:r,form:o,speech:s}=e,{text:i,why:a}=mt(e)??{},c=i&&await fa(i,t).catch(()=>{});if(!n())return;if(i&&!c)return s.words.codeWrong;let d=i&&mt(e)?.text===i;return d&&Gt(),!d||!tt(o.questions,c.kept)?e.turnTo(ao(a??"taken")):(e.forget(),r.resume(c.kept),c.answers.forEach((u,l)=>u&&r.give(l,u)),c.trails.forEach((u,l)=>u&&Object.assign(r.trail(l),u)),e.resumeAt(Sa))}
var ao=e=>({render:t=>[A(t.speech.words.erased),h(t.speech.words.erasedHint[e]),S(b(t.speech.words.proceed,()=>t.resumeAt(co),"main"))]});
function xa(e){Gt(),e.forget(),e.resumeAt(co)}
var co=({steps:e,draft:t})=>t.isBound()?e.length-1:0;
function Sa(e){let{steps:t,draft:n}=e,[r,o]=[n.state().answers.length>0?2:1,t.length-1],s=n.isBound()?o:t.findIndex(({question:i})=>i!==void 0&&n.answer(i)===void 0);for(s<0&&(s=o);s>r&&s<o&&t[s-1].question===void 0;)s-=1;return x.nextStep(t,s,1,e)}
var Oa=e=>(t,n)=>{e(t,n);let r=b(n.speech.words.later,()=>n.state.isSending||n.turnTo(ha),"leave");r.id="later",t.lastElementChild?.before(r)};
function Aa({state:{canWait:e,aside:t,step:n,ending:r}}){L("later").hidden=!e||t!==void 0||n===0||r!==void 0}
var Ea=e=>(t,n,r)=>(["closed","replaced"].includes(n)&&mt(r)?.text&&Gt(),e(t,n,r));
k({name:"later",detect:({later:e})=>e!==void 0,validate:da,wrap:{openVisit:e=>t=>{e(t),ma(t)},renderConsent:pa,renderHeader:Oa,updateHeader:e=>t=>{e(t),Aa(t)},renderEnding:Ea}});
