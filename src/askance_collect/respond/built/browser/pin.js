var Kc=/\npin\(.[0-9a-f]{64}./,
Gc=/script-src .sha256-[\w+/=]{44}./,
zc="askance-pin",
mt={page:"",worker:""};
function Vc(e,t){mt={page:e,worker:t}}
function Qc({pin:e,tablet:t,ending:n}){p(e===!0&&t===void 0&&n?.within===void 0,"pin")}
var Ue=()=>`worker.js?${mt.page}`;
async function Pn(e,t){let n=await fetch(e,{cache:t,credentials:"omit",redirect:"error"});if(!n.ok)throw new Error(e);return n.text()}
var yo=async e=>await V(e)===mt.worker,
Jc=async e=>await V(e.replace(Kc,`
pin(`).replace(Gc,"script-src"))===mt.page;
async function Zc(){let e=navigator.serviceWorker;if(e.controller?.scriptURL===new URL(Ue(),location.href).href)return await Yc()&&await e.getRegistration()?"kept":"changed";if(!await yo(await Pn(Ue(),"default")))return;let t={createScriptURL:Ue},n=globalThis.trustedTypes?.createPolicy("pin",t).createScriptURL("")??Ue();return await e.register(n,{updateViaCache:"all"}),await e.ready,"kept"}
async function Yc(){try{let[e,t]=await Promise.all([Pn("./","no-store"),Pn(Ue(),"no-store")]);return await Jc(e)&&await yo(t)}catch{return!0}}
async function ko(){let e=await navigator.serviceWorker?.getRegistration();if(!e?.active?.scriptURL.endsWith(Ue()))return;await e.unregister();let t=await caches.keys();await Promise.all(t.filter(n=>n.startsWith(`${zc}:`)&&n.endsWith(mt.page)).map(n=>caches.delete(n)))}
async function Xc(){await ko(),location.reload()}
function Mn({state:e,speech:{words:t}}){if(L("pinned")?.remove(),e.pin==="kept"&&L("contact").append(m("p",{id:"pinned",className:"hint"},t.pinKept)),e.pin!=="changed")return;let n=m("section",{id:"pinned",className:"alarm"},h(t.pinChanged),S(b(t.pinNew,Xc)));n.setAttribute("role","alert"),L("bar").after(n)}
async function qc(e){if(e.draft.ending())return;let t=await Zc().catch(()=>{});e.dispatch({type:"update",change:{pin:t}}),Mn(e)}
function ed(e){e.state.pin==="kept"&&(e.dispatch({type:"update",change:{pin:void 0}}),Mn(e),ko().catch(()=>{}))}
k({name:"pin",detect:({pin:e})=>e!==void 0,validate:Qc,wrap:{openVisit:e=>t=>{e(t),qc(t)},renderHeader:e=>(t,n)=>{e(t,n),Mn(n)},renderEnding:e=>(t,n,r)=>(ed(r),e(t,n,r))}});
var pin=Vc;
