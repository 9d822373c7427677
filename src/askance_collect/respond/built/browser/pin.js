var OWN=/\npin\(.[0-9a-f]{64}./,
POLICY=/script-src .sha256-[\w+/=]{44}./,
PURPOSE="askance-pin",
known={};
function pin(e,t){known={page:e,worker:t}}
function validatePin({pin:e,tablet:t,ending:a}){assert(e===!0&&t===void 0&&a?.within===void 0,"pin")}
var workerName=()=>`worker.js?${known.page}`;
async function offered(e,t){const a=await fetch(e,{cache:t,credentials:"omit",redirect:"error"});if(!a.ok)throw new Error(e);return a.text()}
var isWorker=async e=>await sha256(e)===known.worker,
isThisPage=async e=>await sha256(e.replace(OWN,`
pin(`).replace(POLICY,"script-src"))===known.page;
async function keptPage(){const e=navigator.serviceWorker;if(e.controller?.scriptURL===new URL(workerName(),location.href).href)return await isOffered()&&await e.getRegistration()?"kept":"changed";if(!await isWorker(await offered(workerName(),"default")))return;const t={createScriptURL:workerName},a=globalThis.trustedTypes?.createPolicy("pin",t).createScriptURL("")??workerName();return await e.register(a,{updateViaCache:"all"}),await e.ready,"kept"}
async function isOffered(){try{const[e,t]=await Promise.all([offered("./","no-store"),offered(workerName(),"no-store")]);return await isThisPage(e)&&await isWorker(t)}catch{return!0}}
async function dropPin(){const e=await navigator.serviceWorker?.getRegistration();if(!e?.active?.scriptURL.endsWith(workerName()))return;await e.unregister();const t=await caches.keys();await Promise.all(t.filter(a=>a.startsWith(`${PURPOSE}:`)&&a.endsWith(known.page)).map(a=>caches.delete(a)))}
async function openNew(){await dropPin(),location.reload()}
function tellKept({state:e,speech:{words:t}}){if(document.getElementById("pinned")?.remove(),e.pin==="kept"&&document.getElementById("contact").append(element("p",{id:"pinned",className:"hint"},t.pinKept)),e.pin!=="changed")return;const a=element("section",{id:"pinned",className:"alarm"},paragraph(t.pinChanged),buttons(button(t.pinNew,openNew)));a.setAttribute("role","alert"),document.getElementById("bar").after(a)}
async function look(e){if(e.draft.ending())return;const t=await keptPage().catch(()=>{});e.dispatch({type:"update",change:{pin:t}}),tellKept(e)}
function unpin(e){e.state.pin==="kept"&&(e.dispatch({type:"update",change:{pin:void 0}}),tellKept(e),dropPin().catch(()=>{}))}
register({name:"pin",detect:({pin:e})=>e!==void 0,validate:validatePin,wrap:{openVisit:e=>t=>{e(t),look(t)},renderHeader:e=>(t,a)=>{e(t,a),tellKept(a)},renderEnding:e=>(t,a,n)=>(unpin(n),e(t,a,n))}});
