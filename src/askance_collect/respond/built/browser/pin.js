var Jd=/\npin\(.[0-9a-f]{64}./,
Zd=/script-src .sha256-[\w+/=]{44}./,
Xd="askance-pin",
Tt={page:"",worker:""};
function Yd(e,t){Tt={page:e,worker:t}}
var qd={pin:!0};
function el({tablet:e,ending:t}){w(e===void 0&&t?.within===void 0,"pin")}
var qe=()=>`worker.js?${Tt.page}`;
async function yr(e,t){let n=await fetch(e,{cache:t,credentials:"omit",redirect:"error"});if(!n.ok)throw new Error(e);return n.text()}
var us=async e=>await J(e)===Tt.worker,
tl=async e=>await J(e.replace(Jd,`
pin(`).replace(Zd,"script-src"))===Tt.page;
async function nl(){let e=navigator.serviceWorker;if(e.controller?.scriptURL===new URL(qe(),location.href).href)return await rl()&&await e.getRegistration()?"kept":"changed";if(!await us(await yr(qe(),"default")))return;let t={createScriptURL:qe},n=globalThis.trustedTypes?.createPolicy("pin",t).createScriptURL("")??qe();return await e.register(n,{updateViaCache:"all"}),await e.ready,"kept"}
async function rl(){try{let[e,t]=await Promise.all([yr("./","no-store"),yr(qe(),"no-store")]);return await tl(e)&&await us(t)}catch{return!0}}
async function fs(){let e=await navigator.serviceWorker?.getRegistration();if(!e?.active?.scriptURL.endsWith(qe()))return;await e.unregister();let t=await caches.keys();await Promise.all(t.filter(n=>n.startsWith(`${Xd}:`)&&n.endsWith(Tt.page)).map(n=>caches.delete(n)))}
async function ol(){await fs(),location.reload()}
function kr({state:e,speech:{words:t}}){if(L("pinned")?.remove(),e.pin==="kept"&&L("main").after(m("p",{id:"pinned",className:"hint"},t.pinKept)),e.pin!=="changed")return;let n=m("section",{id:"pinned",className:"alarm"},h(t.pinChanged),S(y(t.pinNew,ol)));n.setAttribute("role","alert"),L("main").before(n)}
async function sl(e){if(e.draft.ending())return;let t=await nl().catch(()=>{});e.isOver()||(e.dispatch({type:"update",change:{pin:t}}),kr(e))}
function il(e){e.state.pin==="kept"&&(e.dispatch({type:"update",change:{pin:void 0}}),kr(e),fs().catch(()=>{}))}
b({name:"pin",shapes:qd,validate:el,wrap:{openVisit:e=>t=>{e(t),sl(t)},renderHeader:e=>(t,n)=>{e(t,n),kr(n)},renderEnding:e=>(t,n,r)=>(il(r),e(t,n,r))}});
var pin=Yd;
