var TOGETHER=10,
PAUSES=["unreachable","blocked","busy","disk-full","read-only","disk-error"];
function validateTablet({tablet:e,later:t,quotas:n,tokens:a,open:o,ending:r}){const l=[t,n,a,o,r?.url,r?.within];assert(e===!0&&l.every(c=>c===void 0),"tablet")}
var databaseName=()=>`askance-tablet:${new URL(".",location.href).pathname}`,
settled=e=>new Promise((t,n)=>{e.onsuccess=()=>t(e.result),e.onerror=()=>n(e.error)});
async function step(e,t){const n=indexedDB.open(databaseName(),1);n.onupgradeneeded=()=>["reports","sending"].forEach(o=>n.result.createObjectStore(o));const a=await settled(n);try{const o=a.transaction(["reports","sending"],e,{durability:"strict"}),r=new Promise((c,s)=>{o.oncomplete=c,o.onabort=()=>s(o.error)}),l=t(o.objectStore("reports"),o.objectStore("sending"));return await r,l.map(({result:c})=>c)}finally{a.close()}}
var putIn=(e,t)=>step("readwrite",n=>[n.put(t,e)]),
takeOut=e=>step("readwrite",t=>[t.delete(e)]),
mark=e=>step("readwrite",(t,n)=>[e?n.put(!0,0):n.delete(0)]).catch(()=>{});
async function waiting({form:e,fingerprint:t}){const[n,a,o]=await step("readonly",(c,s)=>[c.getAllKeys(),c.getAll(),s.get(0)]),r=n.map((c,s)=>({id:c,body:a[s]})),l=r.filter(({id:c,body:s})=>isUnhurt(c,s,e,t));return{all:r,fit:l,begun:o}}
function isUnhurt(e,t,{questions:n,size:a},o){try{const{answers:r,form:l,id:c}=JSON.parse(t),s=n.map(({name:i})=>r[i]),d=canonical({answers:r,form:l,id:c}).padEnd(a)===t&&t.length===a,p=c===e&&l===o&&Object.keys(r).length===n.length;return d&&p&&isComplete(n,{id:e,values:s})}catch{return!1}}
async function sendAll(e,t){const{form:n}=e,{fit:a}=await waiting(e),o={arrived:0,refused:{},stopped:!1};await mark(!0);for(const{id:r,body:l}of a){const{id:c,code:s=""}=await post(destination(n,location.href),l,r);if(c)await takeOut(r),t(o.arrived+=1);else if(PAUSES.includes(s)){o.stopped=!0;break}else o.refused[s]=(o.refused[s]??0)+1}return await mark(!1),o}
var install=onlyOnce(async()=>{const e={createScriptURL:()=>"worker.js"},t=globalThis.trustedTypes?.createPolicy("tablet",e).createScriptURL("")??"worker.js";return navigator.serviceWorker.register(t)}),
newer=onlyOnce(async()=>{const{installing:e,waiting:t}=await(await install()).update();return!!(e??t)}),
lasting=onlyOnce(()=>navigator.storage.persist());
function onlyOnce(e){let t;return()=>t??=e()}
async function readiness(e,t){t(e.tabletUnready);try{await install(),await navigator.serviceWorker.ready,t(e.tabletReady),await newer()&&t(e.tabletChanged)}catch{}}
function line(){const e=paragraph("","hint");return e.setAttribute("role","status"),e}
var say=e=>t=>{e.textContent=t};
function interviewerScreen(){let e;return{render(t){return e=new AbortController,renderInterviewer(t,e)},dispose:()=>e.abort()}}
function renderInterviewer(e,t){const{form:n,fingerprint:a,speech:o}=e,{words:r}=o,[l,c,s,d]=[line(),line(),line(),line()],p=element("h2",{},r.wait),i=element("div",{});i.setAttribute("role","status");const h={hand:button(r.tabletHand,()=>e.turnTo(handScreen),"main"),send:button(r.tabletSend,()=>sendWaiting(e,u)),file:button(r.tabletSave,()=>saveWaiting(e,u))},u={...h,number:p,unfit:s,few:d,outcome:i};for(const b of Object.values(h))b.hidden=!0;return whenOnline(e,u,t),readiness(r,say(l)),lasting().then(b=>b||say(c)(r.tabletRoom),()=>say(c)(r.tabletRoom)),count(e,u,r.tabletStopped),[heading(r.tabletHead),paragraph(o.text(n.title)),p,i,s,d,buttons(h.send,h.file,h.hand),l,c,checkThisPage(a,o)]}
async function count(e,{hand:t,send:n,file:a,number:o,unfit:r,few:l,outcome:c},s){const{words:d}=e.speech;try{const{all:p,fit:i,begun:h}=await waiting(e),u=p.length-i.length;o.textContent=d.tabletWaiting(i.length),r.textContent=u>0?d.tabletUnfit(u):"",l.textContent=i.length>0&&i.length<TOGETHER?d.tabletFew:"",h&&s&&c.replaceChildren(paragraph(s)),t.hidden=!1,n.hidden=i.length===0,a.hidden=p.length===0,e.dispatch({type:"update",change:{waiting:i.length}})}catch{o.textContent=d.tabletNever}}
function whenOnline(e,t,n){window.addEventListener("online",()=>(e.state.waiting??0)>=TOGETHER&&sendWaiting(e,t),n)}
async function sendWaiting(e,t){if(e.state.isSending)return;const{words:n}=e.speech,{hand:a,file:o,outcome:r}=t,l=(...s)=>r.replaceChildren(...s.map(d=>paragraph(d))),c=s=>[a,o].forEach(d=>d.disabled=s);e.dispatch({type:"send"}),c(!0),l(n.sending);try{const s=()=>sendAll(e,u=>l(n.tabletSent(u))),{arrived:d,refused:p,stopped:i}=await navigator.locks.request(databaseName(),s),h=Object.entries(p).map(([u,b])=>n.tabletRefused(u,b));l(n.tabletSent(d),...i?[n.tabletStopped]:[],...h)}catch{l(n.tabletStopped)}e.dispatch({type:"update",change:{isSending:!1}}),c(!1),await count(e,t)}
async function saveWaiting(e,{outcome:t}){const{all:n}=await waiting(e);save("reports.askance",n.map(({body:a})=>a).join(`
`)),t.replaceChildren(paragraph(e.speech.words.tabletSaved))}
function showWayOut({state:{aside:e,ending:t}}){partOf("bar").querySelector(".leave").hidden=t!==void 0||e!==void 0}
var toInterviewer=e=>e.turnTo(interviewerScreen()),
handScreen={back:toInterviewer,render:e=>[heading(e.speech.words.tabletGive),paragraph(e.speech.words.tabletGiveHint),buttons(button(e.speech.words.back,()=>toInterviewer(e)),button(e.speech.words.tabletMine,()=>e.turnTo(void 0),"main"))]};
function lastScreen(e,t,n,...a){return[heading(t),paragraph(n),...a,buttons(button(e.speech.words.tabletBack,()=>openNext(e),"main"))]}
var leftScreen={render:e=>lastScreen(e,e.speech.words.tabletLeft,e.speech.words.tabletLeftHint)},
memoryDraft=({form:e,fingerprint:t})=>openDraft(e,t,()=>{});
function openNext(e){const{form:t,fingerprint:n}=e;e.dispose(),openVisit(t,n,memoryDraft(e))}
function leave(e){e.forget(),e.draft=memoryDraft(e),e.turnTo(leftScreen)}
var renderTabletHeader=e=>(t,n)=>{e(t,n);const{words:a}=n.speech;Object.assign(a,{nothingYet:a.tabletNothing,leaveHint:a.tabletLeave,cardTold:a.tabletTold,cardWrong:a.tabletWrong,unreachable:a.tabletUnkept,frozen:a.tabletFrozen}),t.querySelector(".leave")?.replaceWith(button(a.leave,()=>n.state.isSending||leave(n),"leave"))};
function prepareTablet(e){e.draft=memoryDraft(e),e.dispatch({type:"update",change:{aside:interviewerScreen(),ending:void 0}}),e.post=async(t,n,a)=>{try{await putIn(a,n)}catch{return{code:"unreachable"}}return{id:a,digest:await sha256(n)}}}
function endTablet(e,t){const{words:n}=t.speech,{receipt:a}=t.state;if(!a)return e;const r=[[n.receiptId,a.id],[n.receiptDigest,a.digest]].map(([c,s])=>element("div",{},element("dt",{},c),element("dd",{className:"code",translate:!1},s))),l=foldOut(n.receipt,element("dl",{className:"receipt"},...r),paragraph(n.withdraw));return lastScreen(t,n.tabletDone,n.tabletDoneHint,l)}
register({name:"tablet",detect:({tablet:e})=>e!==void 0,validate:validateTablet,wrap:{openVisit:e=>t=>{prepareTablet(t),e(t)},renderHeader:renderTabletHeader,updateHeader:e=>t=>{e(t),showWayOut(t)},renderEnding:e=>(t,n,a)=>e(endTablet(t,a),n,a)}});
