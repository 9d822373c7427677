var TOGETHER=10,
PAUSES=["unreachable","blocked","busy","disk-full","read-only","disk-error"];
function validateTablet({tablet:e,later:t,quotas:n,tokens:a,open:o,ending:r}){const s=[t,n,a,o,r?.url,r?.within];assert(e===!0&&s.every(c=>c===void 0),"tablet")}
var databaseName=()=>`askance-tablet:${new URL(".",location.href).pathname}`,
settled=e=>new Promise((t,n)=>{e.onsuccess=()=>t(e.result),e.onerror=()=>n(e.error)});
async function step(e,t){const n=indexedDB.open(databaseName(),1);n.onupgradeneeded=()=>["reports","sending"].forEach(o=>n.result.createObjectStore(o));const a=await settled(n);try{const o=a.transaction(["reports","sending"],e,{durability:"strict"}),r=new Promise((c,d)=>{o.oncomplete=c,o.onabort=()=>d(o.error)}),s=t(o.objectStore("reports"),o.objectStore("sending"));return await r,s.map(({result:c})=>c)}finally{a.close()}}
var putIn=(e,t)=>step("readwrite",n=>[n.put(t,e)]),
takeOut=e=>step("readwrite",t=>[t.delete(e)]),
mark=e=>step("readwrite",(t,n)=>[e?n.put(!0,0):n.delete(0)]).catch(()=>{});
async function waiting({form:e,fingerprint:t}){const[n,a,o]=await step("readonly",(c,d)=>[c.getAllKeys(),c.getAll(),d.get(0)]),r=n.map((c,d)=>({id:c,body:a[d]})),s=r.filter(({id:c,body:d})=>isUnhurt(c,d,e,t));return{all:r,fit:s,begun:o}}
function isUnhurt(e,t,{questions:n,size:a},o){try{const{answers:r,form:s,id:c}=JSON.parse(t),d=n.map(({name:u})=>r[u]),l=canonical({answers:r,form:s,id:c}).padEnd(a)===t&&t.length===a,i=c===e&&s===o&&Object.keys(r).length===n.length;return l&&i&&isComplete(n,{id:e,values:d})}catch{return!1}}
async function sendAll(e,t){const{form:n}=e,{fit:a}=await waiting(e),o={arrived:0,refused:{},stopped:!1};await mark(!0);for(const{id:r,body:s}of a){const{id:c,code:d=""}=await post(destination(n,location.href),s,r);if(c)await takeOut(r),t(o.arrived+=1);else if(PAUSES.includes(d)){o.stopped=!0;break}else o.refused[d]=(o.refused[d]??0)+1}return await mark(!1),o}
var device=Object.assign(new EventTarget,{readiness:e=>e.tabletUnready,isLasting:!0});
function learn(e){Object.assign(device,e),device.dispatchEvent(new Event("change"))}
var prepareDevice=onlyOnce(()=>{keepPage(),keepReports()});
function onlyOnce(e){let t=!1;return()=>{t||e(),t=!0}}
async function keepPage(){try{const e={createScriptURL:()=>"worker.js"},t=globalThis.trustedTypes?.createPolicy("tablet",e).createScriptURL("")??"worker.js",n=await navigator.serviceWorker.register(t);await navigator.serviceWorker.ready,learn({readiness:r=>r.tabletReady});const{installing:a,waiting:o}=await n.update();(a??o)&&learn({readiness:r=>r.tabletChanged})}catch{}}
async function keepReports(){try{learn({isLasting:await navigator.storage.persist()})}catch{learn({isLasting:!1})}}
function line(){const e=paragraph("","hint");return e.setAttribute("role","status"),e}
function interviewerScreen(){const e=element("div",{});e.setAttribute("role","status");const t={outcome:e};let n;return{render(a){return n=new AbortController,renderInterviewer(a,t,n)},dispose:()=>n.abort()}}
function renderInterviewer(e,t,n){const{form:a,fingerprint:o,speech:r}=e,{words:s}=r,c={hand:button(s.tabletHand,()=>e.turnTo(handScreen),"main"),send:button(s.tabletSend,()=>sendWaiting(e,t)),file:button(s.tabletSave,()=>saveWaiting(e,t))};for(const d of Object.values(c))d.hidden=!0;return Object.assign(t,c,{number:element("h2",{},s.wait),unfit:line(),few:line()}),setBusy(t,e.state.isSending),whenOnline(e,t,n),count(e,t,s.tabletStopped),[heading(s.tabletHead),paragraph(r.text(a.title)),t.number,t.outcome,t.unfit,t.few,buttons(c.send,c.file,c.hand),...deviceLines(s,n),checkThisPage(o,r)]}
function deviceLines(e,t){const[n,a]=[line(),line()],o=()=>{n.textContent=device.readiness(e),a.textContent=device.isLasting?"":e.tabletRoom};return device.addEventListener("change",o,t),prepareDevice(),o(),[n,a]}
var setBusy=({hand:e,file:t},n)=>[e,t].forEach(a=>a.disabled=n);
async function count(e,t,n){const{words:a}=e.speech;try{const{all:o,fit:r,begun:s}=await waiting(e),{hand:c,send:d,file:l,number:i,unfit:u,few:f,outcome:b}=t,p=o.length-r.length;i.textContent=a.tabletWaiting(r.length),u.textContent=p>0?a.tabletUnfit(p):"",f.textContent=r.length>0&&r.length<TOGETHER?a.tabletFew:"",s&&n&&!e.state.isSending&&b.replaceChildren(paragraph(n)),c.hidden=!1,d.hidden=r.length===0,l.hidden=o.length===0,e.dispatch({type:"update",change:{waiting:r.length}})}catch{t.number.textContent=a.tabletNever}}
function whenOnline(e,t,n){window.addEventListener("online",()=>(e.state.waiting??0)>=TOGETHER&&sendWaiting(e,t),n)}
async function sendWaiting(e,t){if(e.state.isSending)return;const{words:n}=e.speech,a=(...o)=>t.outcome.replaceChildren(...o.map(r=>paragraph(r)));e.dispatch({type:"send"}),setBusy(t,!0),a(n.sending);try{const o=()=>sendAll(e,l=>a(n.tabletSent(l))),{arrived:r,refused:s,stopped:c}=await navigator.locks.request(databaseName(),o),d=Object.entries(s).map(([l,i])=>n.tabletRefused(l,i));a(n.tabletSent(r),...c?[n.tabletStopped]:[],...d)}catch{a(n.tabletStopped)}e.dispatch({type:"update",change:{isSending:!1}}),setBusy(t,!1),await count(e,t)}
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
function endTablet(e,t){const{words:n}=t.speech,{receipt:a}=t.state;if(!a)return e;const r=[[n.receiptId,a.id],[n.receiptDigest,a.digest]].map(([c,d])=>element("div",{},element("dt",{},c),element("dd",{className:"code",translate:!1},d))),s=foldOut(n.receipt,element("dl",{className:"receipt"},...r),paragraph(n.withdraw));return lastScreen(t,n.tabletDone,n.tabletDoneHint,s)}
register({name:"tablet",detect:({tablet:e})=>e!==void 0,validate:validateTablet,wrap:{openVisit:e=>t=>{prepareTablet(t),e(t)},renderHeader:renderTabletHeader,updateHeader:e=>t=>{e(t),showWayOut(t)},renderEnding:e=>(t,n,a)=>e(endTablet(t,a),n,a)}});
