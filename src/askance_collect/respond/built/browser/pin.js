var ll=/\npin\(.[0-9a-f]{64}./,
ul=/script-src .sha256-[\w+/=]{44}./,
fl="askance-pin",
Lt={page:"",worker:""};
function pl(e,t){Lt={page:e,worker:t}}
var ml={pin:!0};
function hl({tablet:e,ending:t}){w(e===void 0&&t?.within===void 0,"pin")}
var tt=()=>`worker.js?${Lt.page}`;
async function Or(e,t){let n=await fetch(e,{cache:t,credentials:"omit",redirect:"error"});if(!n.ok)throw new Error(e);return n.text()}
var bs=async e=>await J(e)===Lt.worker,
gl=async e=>await J(e.replace(ll,`
pin(`).replace(ul,"script-src"))===Lt.page;
async function wl(){let e=navigator.serviceWorker;if(e.controller?.scriptURL===new URL(tt(),location.href).href)return await bl()&&await e.getRegistration()?"kept":"changed";if(!await bs(await Or(tt(),"default")))return;let t={createScriptURL:tt},n=globalThis.trustedTypes?.createPolicy("pin",t).createScriptURL("")??tt();return await e.register(n,{updateViaCache:"all"}),await e.ready,"kept"}
async function bl(){try{let[e,t]=await Promise.all([Or("./","no-store"),Or(tt(),"no-store")]);return await gl(e)&&await bs(t)}catch{return!0}}
async function ys(){let e=await navigator.serviceWorker?.getRegistration();if(!e?.active?.scriptURL.endsWith(tt()))return;await e.unregister();let t=await caches.keys();await Promise.all(t.filter(n=>n.startsWith(`${fl}:`)&&n.endsWith(Lt.page)).map(n=>caches.delete(n)))}
async function yl(){await ys(),location.reload()}
function Ar({state:e,speech:{words:t}}){if(I("pinned")?.remove(),e.pin==="kept"&&I("main").after(p("p",{id:"pinned",className:"hint"},t.pinKept)),e.pin!=="changed")return;let n=p("section",{id:"pinned",className:"alarm"},h(t.pinChanged),S(y(t.pinNew,yl)));n.setAttribute("role","alert"),I("main").before(n)}
async function kl(e){if(e.draft.ending())return;let t=await wl().catch(()=>{});e.isOver()||(e.dispatch({type:"update",change:{pin:t}}),Ar(e))}
function xl(e){e.state.pin==="kept"&&(e.dispatch({type:"update",change:{pin:void 0}}),Ar(e),ys().catch(()=>{}))}
b({name:"pin",shapes:ml,validate:hl,wrap:{openVisit:e=>t=>{e(t),kl(t)},renderHeader:e=>(t,n)=>{e(t,n),Ar(n)},renderEnding:e=>(t,n,r)=>(xl(r),e(t,n,r))}});
var pin=pl;
