var ml=/\npin\(.[0-9a-f]{64}./,
hl=/script-src .sha256-[\w+/=]{44}./,
gl="askance-pin",
Lt={page:"",worker:""};
function wl(e,t){Lt={page:e,worker:t}}
var bl={pin:!0};
function yl({tablet:e,ending:t}){w(e===void 0&&t?.within===void 0,"pin")}
var tt=()=>`worker.js?${Lt.page}`;
async function xr(e,t){let n=await fetch(e,{cache:t,credentials:"omit",redirect:"error"});if(!n.ok)throw new Error(e);return n.text()}
var ys=async e=>await J(e)===Lt.worker,
kl=async e=>await J(e.replace(ml,`
pin(`).replace(hl,"script-src"))===Lt.page;
async function xl(){let e=navigator.serviceWorker;if(e.controller?.scriptURL===new URL(tt(),location.href).href)return await Sl()&&await e.getRegistration()?"kept":"changed";if(!await ys(await xr(tt(),"default")))return;let t={createScriptURL:tt},n=globalThis.trustedTypes?.createPolicy("pin",t).createScriptURL("")??tt();return await e.register(n,{updateViaCache:"all"}),await e.ready,"kept"}
async function Sl(){try{let[e,t]=await Promise.all([xr("./","no-store"),xr(tt(),"no-store")]);return await kl(e)&&await ys(t)}catch{return!0}}
async function ks(){let e=await navigator.serviceWorker?.getRegistration();if(!e?.active?.scriptURL.endsWith(tt()))return;await e.unregister();let t=await caches.keys();await Promise.all(t.filter(n=>n.startsWith(`${gl}:`)&&n.endsWith(Lt.page)).map(n=>caches.delete(n)))}
async function Ol(){await ks(),location.reload()}
function Sr({state:e,speech:{words:t}}){if(I("pinned")?.remove(),e.pin==="kept"&&I("main").after(p("p",{id:"pinned",className:"hint"},t.pinKept)),e.pin!=="changed")return;let n=p("section",{id:"pinned",className:"alarm"},h(t.pinChanged),A(y(t.pinNew,Ol)));n.setAttribute("role","alert"),I("main").before(n)}
async function Al(e){if(e.draft.ending())return;let t=await xl().catch(()=>{});e.isOver()||(e.dispatch({type:"update",change:{pin:t}}),Sr(e))}
function El(e){e.state.pin==="kept"&&(e.dispatch({type:"update",change:{pin:void 0}}),Sr(e),ks().catch(()=>{}))}
b({name:"pin",shapes:bl,validate:yl,wrap:{openVisit:e=>t=>{e(t),Al(t)},renderHeader:e=>(t,n)=>{e(t,n),Sr(n)},renderEnding:e=>(t,n,r)=>(El(r),e(t,n,r))}});
var pin=wl;
