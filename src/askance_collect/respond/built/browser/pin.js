var pl=/\npin\(.[0-9a-f]{64}./,
ml=/script-src .sha256-[\w+/=]{44}./,
hl="askance-pin",
Lt={page:"",worker:""};
function gl(e,t){Lt={page:e,worker:t}}
var wl={pin:!0};
function bl({tablet:e,ending:t}){w(e===void 0&&t?.within===void 0,"pin")}
var tt=()=>`worker.js?${Lt.page}`;
async function Sr(e,t){let n=await fetch(e,{cache:t,credentials:"omit",redirect:"error"});if(!n.ok)throw new Error(e);return n.text()}
var ys=async e=>await Z(e)===Lt.worker,
yl=async e=>await Z(e.replace(pl,`
pin(`).replace(ml,"script-src"))===Lt.page;
async function kl(){let e=navigator.serviceWorker;if(e.controller?.scriptURL===new URL(tt(),location.href).href)return await xl()&&await e.getRegistration()?"kept":"changed";if(!await ys(await Sr(tt(),"default")))return;let t={createScriptURL:tt},n=globalThis.trustedTypes?.createPolicy("pin",t).createScriptURL("")??tt();return await e.register(n,{updateViaCache:"all"}),await e.ready,"kept"}
async function xl(){try{let[e,t]=await Promise.all([Sr("./","no-store"),Sr(tt(),"no-store")]);return await yl(e)&&await ys(t)}catch{return!0}}
async function ks(){let e=await navigator.serviceWorker?.getRegistration();if(!e?.active?.scriptURL.endsWith(tt()))return;await e.unregister();let t=await caches.keys();await Promise.all(t.filter(n=>n.startsWith(`${hl}:`)&&n.endsWith(Lt.page)).map(n=>caches.delete(n)))}
async function Sl(){await ks(),location.reload()}
function Or({state:e,speech:{words:t}}){if(I("pinned")?.remove(),e.pin==="kept"&&I("main").after(p("p",{id:"pinned",className:"hint"},t.pinKept)),e.pin!=="changed")return;let n=p("section",{id:"pinned",className:"alarm"},h(t.pinChanged),A(y(t.pinNew,Sl)));n.setAttribute("role","alert"),I("main").before(n)}
async function Ol(e){if(e.draft.ending())return;let t=await kl().catch(()=>{});e.isOver()||(e.dispatch({type:"update",change:{pin:t}}),Or(e))}
function Al(e){e.state.pin==="kept"&&(e.dispatch({type:"update",change:{pin:void 0}}),Or(e),ks().catch(()=>{}))}
b({name:"pin",shapes:wl,validate:bl,wrap:{openVisit:e=>t=>{e(t),Ol(t)},renderHeader:e=>(t,n)=>{e(t,n),Or(n)},renderEnding:e=>(t,n,r)=>(Al(r),e(t,n,r))}});
var pin=gl;
