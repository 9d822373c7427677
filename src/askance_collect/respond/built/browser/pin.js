var OWN=/\npin\(.[0-9a-f]{64}./,
POLICY=/script-src .sha256-[\w+/=]{44}./,
PURPOSE="askance-pin",
known={page:"",worker:""};
function pin(e,a){known={page:e,worker:a}}
function validatePin({pin:e,tablet:a,ending:t}){assert(e===!0&&a===void 0&&t?.within===void 0,"pin")}
var workerName=()=>`worker.js?${known.page}`;
async function offered(e,a){const t=await fetch(e,{cache:a,credentials:"omit",redirect:"error"});if(!t.ok)throw new Error(e);return t.text()}
var isWorker=async e=>await sha256(e)===known.worker,
isThisPage=async e=>await sha256(e.replace(OWN,`
pin(`).replace(POLICY,"script-src"))===known.page;
async function keptPage(){const e=navigator.serviceWorker;if(e.controller?.scriptURL===new URL(workerName(),location.href).href)return await isOffered()&&await e.getRegistration()?"kept":"changed";if(!await isWorker(await offered(workerName(),"default")))return;const a={createScriptURL:workerName},t=globalThis.trustedTypes?.createPolicy("pin",a).createScriptURL("")??workerName();return await e.register(t,{updateViaCache:"all"}),await e.ready,"kept"}
async function isOffered(){try{const[e,a]=await Promise.all([offered("./","no-store"),offered(workerName(),"no-store")]);return await isThisPage(e)&&await isWorker(a)}catch{return!0}}
async function dropPin(){const e=await navigator.serviceWorker?.getRegistration();if(!e?.active?.scriptURL.endsWith(workerName()))return;await e.unregister();const a=await caches.keys();await Promise.all(a.filter(t=>t.startsWith(`${PURPOSE}:`)&&t.endsWith(known.page)).map(t=>caches.delete(t)))}
async function openNew(){await dropPin(),location.reload()}
function tellKept({state:e,speech:{words:a}}){if(partOf("pinned")?.remove(),e.pin==="kept"&&partOf("contact").append(element("p",{id:"pinned",className:"hint"},a.pinKept)),e.pin!=="changed")return;const t=element("section",{id:"pinned",className:"alarm"},paragraph(a.pinChanged),buttons(button(a.pinNew,openNew)));t.setAttribute("role","alert"),partOf("bar").after(t)}
async function look(e){if(e.draft.ending())return;const a=await keptPage().catch(()=>{});e.dispatch({type:"update",change:{pin:a}}),tellKept(e)}
function unpin(e){e.state.pin==="kept"&&(e.dispatch({type:"update",change:{pin:void 0}}),tellKept(e),dropPin().catch(()=>{}))}
register({name:"pin",detect:({pin:e})=>e!==void 0,validate:validatePin,wrap:{openVisit:e=>a=>{e(a),look(a)},renderHeader:e=>(a,t)=>{e(a,t),tellKept(t)},renderEnding:e=>(a,t,r)=>(unpin(r),e(a,t,r))}});
