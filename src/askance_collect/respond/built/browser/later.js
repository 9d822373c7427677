var ha=90,
io=864e5,
ga=6e5,
ao=16,
Cn=28,
wa=1024;
function ba({later:e}){p(y(e,ha+1)&&e>0,"later")}
var vn=()=>`askance-later:${location.pathname}`,
zt=()=>localStorage.removeItem(vn()),
Rn=()=>Math.floor(Date.now()/io);
function ht({form:e,fingerprint:t}){try{let n=localStorage.getItem(vn());if(n===null)return{};let[r,o]=n.split(" "),s=y(Number(o)-Rn(),e.later+1);return r===t&&s?{text:n}:(zt(),{why:s?"changed":"expired"})}catch{return}}
var ya=()=>Array.from(X(12),e=>De[e%32]).join(""),
jn=e=>new TextEncoder().encode(e);
async function co(e,t,n){let r=await crypto.subtle.importKey("raw",jn(e),"PBKDF2",!1,["deriveKey"]),o={name:"PBKDF2",hash:"SHA-256",salt:t.slice(0,ao),iterations:ga},s=await crypto.subtle.deriveKey(o,r,{name:"AES-GCM",length:256},!1,["encrypt","decrypt"]);return[{name:"AES-GCM",iv:t.slice(ao,Cn),additionalData:jn(n)},s]}
async function ka({form:e,fingerprint:t,draft:n},r){let{kept:o,answers:s,trails:i}=n.state(),a=n.isBound()?{kept:o,answers:[],trails:[]}:{kept:o,answers:s,trails:i},c=new Uint8Array(e.size+wa*e.questions.length).fill(32);c.set(jn(JSON.stringify(a)));let d=X(Cn),u=`${t} ${Rn()+e.later}`,l=await crypto.subtle.encrypt(...await co(r,d,u),c),f=[...d,...new Uint8Array(l)];return`${u} ${btoa(f.map(g=>String.fromCharCode(g)).join(""))}`}
async function xa(e,t){let n=e.lastIndexOf(" "),r=Uint8Array.from(atob(e.slice(n)),s=>s.charCodeAt(0)),o=await crypto.subtle.decrypt(...await co(t,r,e.slice(0,n)),r.slice(Cn));return JSON.parse(new TextDecoder().decode(o))}
var Sa=e=>(t,n)=>{let{words:r}=n.speech,o=h(n.state.canWait?r.laterOffer:r.laterNever,"hint");return[...e(t.slice(0,-1),n),o,...t.slice(-1)]};
function Oa(e){let t=ht(e),n=t?.why?po(t.why):t?.text?fo:void 0;e.dispatch({type:"update",change:{canWait:t!==void 0,aside:n}})}
var lo=e=>e.turnTo(void 0),
Aa={render:Ea,back:lo};
function Ea(e){let{speech:t,form:n}=e,{words:r}=t,o=b(r.back,()=>lo(e));if(ht(e)?.text)return[E(r.later),h(r.laterTaken),O(o)];let s=new Intl.DateTimeFormat(t.language,{dateStyle:"long",timeZone:"UTC"}),{line:i,main:a}=uo(r.putAway,e,Ta);return[E(r.later),h(r.laterHow(s.format((Rn()+n.later)*io))),h(r.laterCode),h(r.laterSeen,"hint"),i,O(o,a)]}
function uo(e,t,n){let{words:r}=t.speech,o=m("p",{id:"line"});o.setAttribute("role","status");let s=b(e,i,"main");async function i(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true"),Object.assign(o,{className:"status",textContent:r.wait});let a=await n(t,()=>s.isConnected);s.removeAttribute("aria-disabled"),Object.assign(o,{className:"complaint",textContent:a??""})}return{line:o,main:s}}
async function Ta(e,t){let n=ya();try{let r=await ka(e,n);if(!t())return;localStorage.setItem(vn(),r)}catch{return e.speech.words.laterFailed}return e.forget(),e.turnTo($a(n))}
var $a=e=>({render:t=>[E(t.speech.words.yourCode),B("p","code away",$r(e)),h(t.speech.words.writeDown),O(b(t.speech.words.codeDone,()=>t.turnTo(fo),"main"))]}),
fo={render:La};
function La(e){let{words:t}=e.speech,n=jt(),{line:r,main:o}=uo(t.goOn,e,async(s,i)=>{let a=await Ia(e,dt(n.value),i);return n.focus(),a});return n.setAttribute("aria-describedby",r.id),[E(t.resume),h(t.resumeHint),m("label",{htmlFor:n.id},t.yourCode),n,r,O(b(t.anew,()=>Na(e)),o)]}
async function Ia(e,t,n){let{draft:r,form:o,speech:s}=e,{text:i,why:a}=ht(e)??{},c=i&&await xa(i,t).catch(()=>{});if(!n())return;if(i&&!c)return s.words.codeWrong;let d=i&&ht(e)?.text===i;return d&&zt(),!d||!tt(o.questions,c.kept)?e.turnTo(po(a??"taken")):(e.forget(),r.resume(c.kept),c.answers.forEach((u,l)=>u&&r.give(l,u)),c.trails.forEach((u,l)=>u&&Object.assign(r.trail(l),u)),e.resumeAt(Ca))}
var po=e=>({render:t=>[E(t.speech.words.erased),h(t.speech.words.erasedHint[e]),O(b(t.speech.words.proceed,()=>t.resumeAt(mo),"main"))]});
function Na(e){zt(),e.forget(),e.resumeAt(mo)}
var mo=({steps:e,draft:t})=>t.isBound()?e.length-1:0;
function Ca(e){let{steps:t,draft:n}=e,[r,o]=[n.state().answers.length>0?2:1,t.length-1],s=n.isBound()?o:t.findIndex(({question:i})=>i!==void 0&&n.answer(i)===void 0);for(s<0&&(s=o);s>r&&s<o&&t[s-1].question===void 0;)s-=1;return x.nextStep(t,s,1,e)}
var va=e=>(t,n)=>{e(t,n);let r=b(n.speech.words.later,()=>n.state.isSending||n.turnTo(Aa),"leave");r.id="later",t.lastElementChild?.before(r)};
function Ra({state:{canWait:e,aside:t,step:n,ending:r}}){L("later").hidden=!e||t!==void 0||n===0||r!==void 0}
var ja=e=>(t,n,r)=>(["closed","replaced"].includes(n)&&ht(r)?.text&&zt(),e(t,n,r));
k({name:"later",detect:({later:e})=>e!==void 0,validate:ba,wrap:{openVisit:e=>t=>{e(t),Oa(t)},renderConsent:Sa,renderHeader:va,updateHeader:e=>t=>{e(t),Ra(t)},renderEnding:ja}});
var ko=864e5,
Ea=6e5,
xo=16,
zn=28,
Na=1024,
Ta={later:[1,90]},
Vn=()=>`askance-later:${location.pathname}`,
en=()=>localStorage.removeItem(Vn()),
Qn=()=>Math.floor(Date.now()/ko);
function xt({form:e,fingerprint:t}){try{let n=localStorage.getItem(Vn());if(n===null)return{};let[r,o]=n.split(" "),s=C(Number(o)-Qn(),e.later+1);return r===t&&s?{text:n}:(en(),{why:s?"changed":"expired"})}catch{return}}
var La=()=>Array.from(X(12),e=>We[e%32]).join(""),
Jn=e=>new TextEncoder().encode(e);
async function So(e,t,n){let r=await crypto.subtle.importKey("raw",Jn(e),"PBKDF2",!1,["deriveKey"]),o={name:"PBKDF2",hash:"SHA-256",salt:t.slice(0,xo),iterations:Ea},s=await crypto.subtle.deriveKey(o,r,{name:"AES-GCM",length:256},!1,["encrypt","decrypt"]);return[{name:"AES-GCM",iv:t.slice(xo,zn),additionalData:Jn(n)},s]}
async function Ia({form:e,fingerprint:t,draft:n},r){let{kept:o,answers:s,trails:i}=n.state(),a=n.isBound()?{kept:o,answers:[],trails:[]}:{kept:o,answers:s,trails:i},c=new Uint8Array(e.size+Na*e.questions.length).fill(32);c.set(Jn(JSON.stringify(a)));let d=X(zn),u=`${t} ${Qn()+e.later}`,l=await crypto.subtle.encrypt(...await So(r,d,u),c),f=[...d,...new Uint8Array(l)];return`${u} ${btoa(f.map(h=>String.fromCharCode(h)).join(""))}`}
async function Ca(e,t){let n=e.lastIndexOf(" "),r=Uint8Array.from(atob(e.slice(n)),s=>s.charCodeAt(0)),o=await crypto.subtle.decrypt(...await So(t,r,e.slice(0,n)),r.slice(zn));return JSON.parse(new TextDecoder().decode(o))}
var $a=e=>(t,n)=>{let{words:r}=n.speech,o=m(n.state.canWait?r.laterOffer:r.laterNever,"hint");return[...e(t.slice(0,-1),n),o,...t.slice(-1)]};
function Ra(e){let t=xt(e),n=t?.why?No(t.why):t?.text?Eo:void 0;e.dispatch({type:"update",change:{canWait:t!==void 0,aside:n}})}
var Oo=e=>e.turnTo(void 0),
ja={render:Ba,back:Oo};
function Ba(e){let{speech:t,form:n}=e,{words:r}=t,o=w(r.back,()=>Oo(e));if(xt(e)?.text)return[O(r.later),m(r.laterTaken),x(o)];let s=new Intl.DateTimeFormat(t.language,{dateStyle:"long",timeZone:"UTC"}),{line:i,main:a}=Ao(r.putAway,e,va);return[O(r.later),m(r.laterHow(s.format((Qn()+n.later)*ko))),m(r.laterCode),m(r.laterSeen,"hint"),i,x(o,a)]}
function Ao(e,t,n){let{words:r}=t.speech,o=p("p",{id:"line"});o.setAttribute("role","status");let s=w(e,i,"main");async function i(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true"),Object.assign(o,{className:"status",textContent:r.wait});let a=await n(t,()=>s.isConnected);s.removeAttribute("aria-disabled"),Object.assign(o,{className:"complaint",textContent:a??""})}return{line:o,main:s}}
async function va(e,t){let n=La();try{let r=await Ia(e,n);if(!t())return;localStorage.setItem(Vn(),r)}catch{return e.speech.words.laterFailed}return e.forget(),e.turnTo(Ha(n))}
var Ha=e=>({render:t=>[O(t.speech.words.yourCode),H("p","code away",Mr(e)),m(t.speech.words.writeDown),x(w(t.speech.words.codeDone,()=>t.turnTo(Eo),"main"))]}),
Eo={render:Pa};
function Pa(e){let{words:t}=e.speech,n=Ut(),{line:r,main:o}=Ao(t.goOn,e,async(s,i)=>{let a=await Da(e,mt(n.value),i);return n.focus(),a});return n.setAttribute("aria-describedby",r.id),[O(t.resume),m(t.resumeHint),p("label",{htmlFor:n.id},t.yourCode),n,r,x(w(t.anew,()=>Fa(e)),o)]}
async function Da(e,t,n){let{draft:r,form:o,speech:s}=e,{text:i,why:a}=xt(e)??{},c=i&&await Ca(i,t).catch(()=>{});if(!n())return;if(i&&!c)return s.words.codeWrong;let d=i&&xt(e)?.text===i;return d&&en(),!d||!at(o.questions,c.kept)?e.turnTo(No(a??"taken")):(e.forget(),r.resume(c.kept),c.answers.forEach((u,l)=>u&&r.give(l,u)),c.trails.forEach((u,l)=>u&&Object.assign(r.trail(l),u)),e.resumeAt(Ma))}
var No=e=>({render:t=>[O(t.speech.words.erased),m(t.speech.words.erasedHint[e]),x(w(t.speech.words.proceed,()=>t.resumeAt(To),"main"))]});
function Fa(e){en(),e.forget(),e.resumeAt(To)}
var To=({steps:e,draft:t})=>t.isBound()?e.length-1:0;
function Ma(e){let{steps:t,draft:n}=e,[r,o]=[n.state().answers.length>0?2:1,t.length-1],s=n.isBound()?o:t.findIndex(({question:i})=>i!==void 0&&n.answer(i)===void 0);for(s<0&&(s=o);s>r&&s<o&&t[s-1].question===void 0;)s-=1;return k.nextStep(t,s,1,e)}
var Ua=e=>(t,n)=>{e(t,n);let r=w(n.speech.words.later,()=>n.state.isSending||n.turnTo(ja),"leave");r.id="later",t.lastElementChild?.before(r)};
function Wa({state:{canWait:e,aside:t,step:n,ending:r}}){N("later").hidden=!e||t!==void 0||n===0||r!==void 0}
var Ka=e=>(t,n,r)=>(["closed","replaced"].includes(n)&&xt(r)?.text&&en(),e(t,n,r));
y({name:"later",shapes:Ta,wrap:{openVisit:e=>t=>{e(t),Ra(t)},renderConsent:$a,renderHeader:Ua,updateHeader:e=>t=>{e(t),Wa(t)},renderEnding:Ka}});
