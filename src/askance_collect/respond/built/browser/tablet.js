var TOGETHER=10,
PAUSES=["unreachable","blocked","busy","disk-full","read-only","disk-error"];
function validateTablet({tablet:e,later:t,quotas:n,tokens:a,open:r,ending:c}){const l=[t,n,a,r,c?.url,c?.within];assert(e===!0&&l.every(o=>o===void 0),"tablet")}
var databaseName=()=>`askance-tablet:${new URL(".",location.href).pathname}`,
settled=e=>new Promise((t,n)=>{e.onsuccess=()=>t(e.result),e.onerror=()=>n(e.error)});
async function step(e,t){const n=indexedDB.open(databaseName(),1);n.onupgradeneeded=()=>["reports","sending"].forEach(r=>n.result.createObjectStore(r));const a=await settled(n);try{const r=a.transaction(["reports","sending"],e,{durability:"strict"}),c=new Promise((o,s)=>{r.oncomplete=o,r.onabort=()=>s(r.error)}),l=t(r.objectStore("reports"),r.objectStore("sending"));return await c,l.map(({result:o})=>o)}finally{a.close()}}
var putIn=(e,t)=>step("readwrite",n=>{const[a,r]=[n.getAllKeys(),n.getAll()];return r.onsuccess=()=>{const l=[...a.result.map((o,s)=>({key:o,value:r.result[s]})).filter(({key:o})=>o!==e),{key:e,value:t}].sort((o,s)=>indexedDB.cmp(o.key,s.key));try{for(const{key:o,value:s}of l)n.put(s,o)}catch{n.transaction.abort()}},[a]}),
takeOut=e=>step("readwrite",t=>[t.delete(e)]),
mark=e=>step("readwrite",(t,n)=>[e?n.put(!0,0):n.delete(0)]).catch(()=>{});
async function waiting({form:e,fingerprint:t}){const[n,a,r]=await step("readonly",(o,s)=>[o.getAllKeys(),o.getAll(),s.get(0)]),c=n.map((o,s)=>({id:o,body:a[s]})),l=c.filter(({id:o,body:s})=>isUnhurt(o,s,e,t));return{all:c,fit:l,begun:r}}
function isUnhurt(e,t,{questions:n,size:a},r){try{const{answers:c,form:l,id:o}=JSON.parse(t),s=n.map(({name:u})=>c[u]),d=canonical({answers:c,form:l,id:o}).padEnd(a)===t&&t.length===a,i=o===e&&l===r&&Object.keys(c).length===n.length;return d&&i&&isComplete(n,{id:e,values:s})}catch{return!1}}
async function sendAll(e,t){const{form:n}=e,{fit:a}=await waiting(e),r={arrived:0,refused:{},stopped:!1};await mark(!0);for(const{id:c,body:l}of a){const{id:o,code:s=""}=await post(destination(n,location.href),l,c);if(o)await takeOut(c),t(r.arrived+=1);else if(PAUSES.includes(s)){r.stopped=!0;break}else r.refused[s]=(r.refused[s]??0)+1}return await mark(!1),r}
var device=Object.assign(new EventTarget,{readiness:e=>e.tabletUnready,isLasting:!0});
function learn(e){Object.assign(device,e),device.dispatchEvent(new Event("change"))}
var prepareDevice=onlyOnce(()=>{keepPage(),keepReports()});
function onlyOnce(e){let t=!1;return()=>{t||e(),t=!0}}
async function keepPage(){try{const e={createScriptURL:()=>"worker.js"},t=globalThis.trustedTypes?.createPolicy("tablet",e).createScriptURL("")??"worker.js",n=await navigator.serviceWorker.register(t);await navigator.serviceWorker.ready,learn({readiness:c=>c.tabletReady});const{installing:a,waiting:r}=await n.update();(a??r)&&learn({readiness:c=>c.tabletChanged})}catch{}}
async function keepReports(){try{learn({isLasting:await navigator.storage.persist()})}catch{learn({isLasting:!1})}}
function line(){const e=paragraph("","hint");return e.setAttribute("role","status"),e}
function interviewerScreen(){const e=element("div",{});e.setAttribute("role","status");const t={outcome:e};let n;return{render(a){return n=new AbortController,renderInterviewer(a,t,n)},dispose:()=>n.abort()}}
function renderInterviewer(e,t,n){const{form:a,fingerprint:r,speech:c}=e,{words:l}=c,o={hand:button(l.tabletHand,()=>e.turnTo(handScreen),"main"),send:button(l.tabletSend,()=>sendWaiting(e,t)),file:button(l.tabletSave,()=>saveWaiting(e,t))};for(const s of Object.values(o))s.hidden=!0;return Object.assign(t,o,{number:element("h2",{},l.wait),unfit:line(),few:line()}),setBusy(t,e.state.isSending),whenOnline(e,t,n),count(e,t,l.tabletStopped),[heading(l.tabletHead),paragraph(c.text(a.title)),t.number,t.outcome,t.unfit,t.few,buttons(o.send,o.file,o.hand),...deviceLines(l,n),checkThisPage(r,c)]}
function deviceLines(e,t){const[n,a]=[line(),line()],r=()=>{n.textContent=device.readiness(e),a.textContent=device.isLasting?"":e.tabletRoom};return device.addEventListener("change",r,t),prepareDevice(),r(),[n,a]}
var setBusy=({hand:e,file:t},n)=>[e,t].forEach(a=>a.disabled=n);
async function count(e,t,n){const{words:a}=e.speech;try{const{all:r,fit:c,begun:l}=await waiting(e),{hand:o,send:s,file:d,number:i,unfit:u,few:f,outcome:b}=t,p=r.length-c.length;i.textContent=a.tabletWaiting(c.length),u.textContent=p>0?a.tabletUnfit(p):"",f.textContent=c.length>0&&c.length<TOGETHER?a.tabletFew:"",l&&n&&!e.state.isSending&&b.replaceChildren(paragraph(n)),o.hidden=!1,s.hidden=c.length===0,d.hidden=r.length===0,e.dispatch({type:"update",change:{waiting:c.length}})}catch{t.number.textContent=a.tabletNever}}
function whenOnline(e,t,n){window.addEventListener("online",()=>(e.state.waiting??0)>=TOGETHER&&sendWaiting(e,t),n)}
async function sendWaiting(e,t){if(e.state.isSending)return;const{words:n}=e.speech,a=(...r)=>t.outcome.replaceChildren(...r.map(c=>paragraph(c)));e.dispatch({type:"send"}),setBusy(t,!0),a(n.sending);try{const r=()=>sendAll(e,d=>a(n.tabletSent(d))),{arrived:c,refused:l,stopped:o}=await navigator.locks.request(databaseName(),r),s=Object.entries(l).map(([d,i])=>n.tabletRefused(d,i));a(n.tabletSent(c),...o?[n.tabletStopped]:[],...s)}catch{a(n.tabletStopped)}e.dispatch({type:"update",change:{isSending:!1}}),setBusy(t,!1),await count(e,t)}
async function saveWaiting(e,{outcome:t}){const{all:n}=await waiting(e);save("reports.askance",n.map(({body:a})=>a).join(`
`)),t.replaceChildren(paragraph(e.speech.words.tabletSaved))}
function showWayOut({state:{aside:e,ending:t}}){partOf("bar").querySelector(".leave").hidden=t!==void 0||e!==void 0}
var toInterviewer=e=>e.turnTo(interviewerScreen()),
handScreen={back:toInterviewer,render:e=>[heading(e.speech.words.tabletGive),paragraph(e.speech.words.tabletGiveHint),buttons(button(e.speech.words.back,()=>toInterviewer(e)),button(e.speech.words.tabletMine,()=>e.turnTo(void 0),"main"))]};
function lastScreen(e,t,n,...a){return[heading(t),paragraph(n),...a,buttons(button(e.speech.words.tabletBack,()=>openNext(e),"main"))]}
var leftScreen={render:e=>lastScreen(e,e.speech.words.tabletLeft,e.speech.words.tabletLeftHint)},
memoryDraft=({form:e,fingerprint:t})=>openDraft(e,t,()=>{});
function openNext(e){const{form:t,fingerprint:n}=e;e.dispose(),e.dispatch=()=>{},openVisit(t,n,memoryDraft(e))}
function leave(e){e.forget(),e.draft=memoryDraft(e),e.turnTo(leftScreen)}
var renderTabletHeader=e=>(t,n)=>{e(t,n);const{words:a}=n.speech;Object.assign(a,{nothingYet:a.tabletNothing,leaveHint:a.tabletLeave,cardTold:a.tabletTold,cardWrong:a.tabletWrong,unreachable:a.tabletUnkept,frozen:a.tabletFrozen}),t.querySelector(".leave")?.replaceWith(button(a.leave,()=>n.state.isSending||leave(n),"leave"))};
function prepareTablet(e){e.draft=memoryDraft(e),e.dispatch({type:"update",change:{aside:interviewerScreen(),ending:void 0}}),e.post=async(t,n,a)=>{try{await putIn(a,n)}catch{return{code:"unreachable"}}return{id:a,digest:await sha256(n)}}}
function endTablet(e,t){const{words:n}=t.speech,{receipt:a}=t.state;if(!a)return e;const c=[[n.receiptId,a.id],[n.receiptDigest,a.digest]].map(([o,s])=>element("div",{},element("dt",{},o),element("dd",{className:"code",translate:!1},s))),l=foldOut(n.receipt,element("dl",{className:"receipt"},...c),paragraph(n.withdraw));return lastScreen(t,n.tabletDone,n.tabletDoneHint,l)}
register({name:"tablet",detect:({tablet:e})=>e!==void 0,validate:validateTablet,wrap:{openVisit:e=>t=>{prepareTablet(t),e(t)},renderHeader:renderTabletHeader,updateHeader:e=>t=>{e(t),showWayOut(t)},renderEnding:e=>(t,n,a)=>e(endTablet(t,a),n,a)}});
