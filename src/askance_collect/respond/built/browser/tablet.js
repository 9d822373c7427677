var Eo=10,
$d=["unreachable","blocked","busy","disk-full","read-only","disk-error"];
function Ld({tablet:e,later:t,quotas:n,tokens:r,open:o,ending:s}){let i=[t,n,r,o,s?.url,s?.within];p(e===!0&&i.every(a=>a===void 0),"tablet")}
var To=()=>`askance-tablet:${new URL(".",location.href).pathname}`,
Id=e=>new Promise((t,n)=>{e.onsuccess=()=>t(e.result),e.onerror=()=>n(e.error)});
async function Vt(e,t){let n=indexedDB.open(To(),1);n.onupgradeneeded=()=>["reports","sending"].forEach(o=>n.result.createObjectStore(o));let r=await Id(n);try{let o=r.transaction(["reports","sending"],e,{durability:"strict"}),s=new Promise((a,c)=>{o.oncomplete=a,o.onabort=()=>c(o.error)}),i=t(o.objectStore("reports"),o.objectStore("sending"));return await s,i.map(({result:a})=>a)}finally{r.close()}}
var Nd=(e,t)=>Vt("readwrite",n=>{let[r,o]=[n.getAllKeys(),n.getAll()];return o.onsuccess=()=>{let i=[...r.result.map((a,c)=>({key:a,value:o.result[c]})).filter(({key:a})=>a!==e),{key:e,value:t}].sort((a,c)=>indexedDB.cmp(a.key,c.key));try{for(let{key:a,value:c}of i)n.put(c,a)}catch{n.transaction.abort()}},[r]}),
Cd=e=>Vt("readwrite",t=>[t.delete(e)]),
$o=e=>Vt("readwrite",(t,n)=>[e?n.put(!0,0):n.delete(0)]).catch(()=>{});
async function Un({form:e,fingerprint:t}){let[n,r,o]=await Vt("readonly",(a,c)=>[a.getAllKeys(),a.getAll(),c.get(0)]),s=n.map((a,c)=>({id:a,body:r[c]})),i=s.filter(({id:a,body:c})=>vd(a,c,e,t));return{all:s,fit:i,begun:o}}
function vd(e,t,{questions:n,size:r},o){try{let{answers:s,form:i,id:a}=JSON.parse(t),c=n.map(({name:l})=>s[l]),d=F({answers:s,form:i,id:a}).padEnd(r)===t&&t.length===r,u=a===e&&i===o&&Object.keys(s).length===n.length;return d&&u&&qe(n,{id:e,values:c})}catch{return!1}}
async function Rd(e,t){let{form:n}=e,{fit:r}=await Un(e),o={arrived:0,refused:{},stopped:!1};await $o(!0);for(let{id:s,body:i}of r){let{id:a,code:c=""}=await It(z(n,location.href),i,s);if(a)await Cd(s),t(o.arrived+=1);else if($d.includes(c)){o.stopped=!0;break}else o.refused[c]=(o.refused[c]??0)+1}return await $o(!1),o}
var ht=Object.assign(new EventTarget,{readiness:e=>e.tabletUnready,isLasting:!0});
function Qt(e){Object.assign(ht,e),ht.dispatchEvent(new Event("change"))}
var jd=Bd(()=>{Hd(),Pd()});
function Bd(e){let t=!1;return()=>{t||e(),t=!0}}
async function Hd(){try{let e={createScriptURL:()=>"worker.js"},t=globalThis.trustedTypes?.createPolicy("tablet",e).createScriptURL("")??"worker.js",n=await navigator.serviceWorker.register(t);await navigator.serviceWorker.ready,Qt({readiness:s=>s.tabletReady});let{installing:r,waiting:o}=await n.update();(r??o)&&Qt({readiness:s=>s.tabletChanged})}catch{}}
async function Pd(){try{Qt({isLasting:await navigator.storage.persist()})}catch{Qt({isLasting:!1})}}
function Jt(){let e=h("","hint");return e.setAttribute("role","status"),e}
function Lo(){let e=m("div",{});e.setAttribute("role","status");let t={outcome:e},n;return{render(r){return n=new AbortController,Md(r,t,n)},dispose:()=>n.abort()}}
function Md(e,t,n){let{form:r,fingerprint:o,speech:s}=e,{words:i}=s,a={hand:b(i.tabletHand,()=>e.turnTo(_d),"main"),send:b(i.tabletSend,()=>No(e,t)),file:b(i.tabletSave,()=>Fd(e,t))};for(let c of Object.values(a))c.hidden=!0;return Object.assign(t,a,{number:m("h2",{},i.wait),unfit:Jt(),few:Jt()}),Fn(t,e.state.isSending),Ud(e,t,n),Io(e,t,i.tabletStopped),[A(i.tabletHead),h(s.text(r.title)),t.number,t.outcome,t.unfit,t.few,S(a.send,a.file,a.hand),...Dd(i,n),rt(o,s)]}
function Dd(e,t){let[n,r]=[Jt(),Jt()],o=()=>{n.textContent=ht.readiness(e),r.textContent=ht.isLasting?"":e.tabletRoom};return ht.addEventListener("change",o,t),jd(),o(),[n,r]}
var Fn=({hand:e,file:t},n)=>[e,t].forEach(r=>r.disabled=n);
async function Io(e,t,n){let{words:r}=e.speech;try{let{all:o,fit:s,begun:i}=await Un(e),{hand:a,send:c,file:d,number:u,unfit:l,few:f,outcome:g}=t,w=o.length-s.length;u.textContent=r.tabletWaiting(s.length),l.textContent=w>0?r.tabletUnfit(w):"",f.textContent=s.length>0&&s.length<Eo?r.tabletFew:"",i&&n&&!e.state.isSending&&g.replaceChildren(h(n)),a.hidden=!1,c.hidden=s.length===0,d.hidden=o.length===0,e.dispatch({type:"update",change:{waiting:s.length}})}catch{t.number.textContent=r.tabletNever}}
function Ud(e,t,n){window.addEventListener("online",()=>(e.state.waiting??0)>=Eo&&No(e,t),n)}
async function No(e,t){if(e.state.isSending)return;let{words:n}=e.speech,r=(...o)=>t.outcome.replaceChildren(...o.map(s=>h(s)));e.dispatch({type:"send"}),Fn(t,!0),r(n.sending);try{let o=()=>Rd(e,d=>r(n.tabletSent(d))),{arrived:s,refused:i,stopped:a}=await navigator.locks.request(To(),o),c=Object.entries(i).map(([d,u])=>n.tabletRefused(d,u));r(n.tabletSent(s),...a?[n.tabletStopped]:[],...c)}catch{r(n.tabletStopped)}e.dispatch({type:"update",change:{isSending:!1}}),Fn(t,!1),await Io(e,t)}
async function Fd(e,{outcome:t}){let{all:n}=await Un(e);xn("reports.askance",n.map(({body:r})=>r).join(`
`)),t.replaceChildren(h(e.speech.words.tabletSaved))}
function Wd({state:{aside:e,ending:t}}){L("bar").querySelector(".leave").hidden=t!==void 0||e!==void 0}
var Co=e=>e.turnTo(Lo()),
_d={back:Co,render:e=>[A(e.speech.words.tabletGive),h(e.speech.words.tabletGiveHint),S(b(e.speech.words.back,()=>Co(e)),b(e.speech.words.tabletMine,()=>e.turnTo(void 0),"main"))]};
function vo(e,t,n,...r){return[A(t),h(n),...r,S(b(e.speech.words.tabletBack,()=>Gd(e),"main"))]}
var Kd={render:e=>vo(e,e.speech.words.tabletLeft,e.speech.words.tabletLeftHint)},
Wn=({form:e,fingerprint:t})=>ce(e,t,()=>{});
function Gd(e){let{form:t,fingerprint:n}=e;e.dispose(),e.dispatch=()=>{},zt(t,n,Wn(e))}
function zd(e){e.forget(),e.draft=Wn(e),e.turnTo(Kd)}
var Vd=e=>(t,n)=>{e(t,n);let{words:r}=n.speech;Object.assign(r,{nothingYet:r.tabletNothing,leaveHint:r.tabletLeave,cardTold:r.tabletTold,cardWrong:r.tabletWrong,unreachable:r.tabletUnkept,frozen:r.tabletFrozen}),t.querySelector(".leave")?.replaceWith(b(r.leave,()=>n.state.isSending||zd(n),"leave"))};
function Qd(e){e.draft=Wn(e),e.dispatch({type:"update",change:{aside:Lo(),ending:void 0}}),e.post=async(t,n,r)=>{try{await Nd(r,n)}catch{return{code:"unreachable"}}return{id:r,digest:await V(n)}}}
function Jd(e,t){let{words:n}=t.speech,{receipt:r}=t.state;if(!r)return e;let s=[[n.receiptId,r.id],[n.receiptDigest,r.digest]].map(([a,c])=>m("div",{},m("dt",{},a),m("dd",{className:"code",translate:!1},c))),i=U(n.receipt,m("dl",{className:"receipt"},...s),h(n.withdraw));return vo(t,n.tabletDone,n.tabletDoneHint,i)}
k({name:"tablet",detect:({tablet:e})=>e!==void 0,validate:Ld,wrap:{openVisit:e=>t=>{Qd(t),e(t)},renderHeader:Vd,updateHeader:e=>t=>{e(t),Wd(t)},renderEnding:e=>(t,n,r)=>e(Jd(t,r),n,r)}});
