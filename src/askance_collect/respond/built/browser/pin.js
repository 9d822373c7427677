var Id=/\npin\(.[0-9a-f]{64}./,
Cd=/script-src .sha256-[\w+/=]{44}./,
$d="askance-pin",
Et={page:"",worker:""};
function Rd(e,t){Et={page:e,worker:t}}
var vd={pin:!0};
function jd({tablet:e,ending:t}){w(e===void 0&&t?.within===void 0,"pin")}
var Ye=()=>`worker.js?${Et.page}`;
async function ur(e,t){let n=await fetch(e,{cache:t,credentials:"omit",redirect:"error"});if(!n.ok)throw new Error(e);return n.text()}
var rs=async e=>await V(e)===Et.worker,
Bd=async e=>await V(e.replace(Id,`
pin(`).replace(Cd,"script-src"))===Et.page;
async function Hd(){let e=navigator.serviceWorker;if(e.controller?.scriptURL===new URL(Ye(),location.href).href)return await Pd()&&await e.getRegistration()?"kept":"changed";if(!await rs(await ur(Ye(),"default")))return;let t={createScriptURL:Ye},n=globalThis.trustedTypes?.createPolicy("pin",t).createScriptURL("")??Ye();return await e.register(n,{updateViaCache:"all"}),await e.ready,"kept"}
async function Pd(){try{let[e,t]=await Promise.all([ur("./","no-store"),ur(Ye(),"no-store")]);return await Bd(e)&&await rs(t)}catch{return!0}}
async function os(){let e=await navigator.serviceWorker?.getRegistration();if(!e?.active?.scriptURL.endsWith(Ye()))return;await e.unregister();let t=await caches.keys();await Promise.all(t.filter(n=>n.startsWith(`${$d}:`)&&n.endsWith(Et.page)).map(n=>caches.delete(n)))}
async function Fd(){await os(),location.reload()}
function fr({state:e,speech:{words:t}}){let n=N("contact");if(N("pinned")?.remove(),e.pin==="kept"&&(n.querySelector("details")??n).append(p("p",{id:"pinned",className:"hint"},t.pinKept)),e.pin!=="changed")return;let r=p("section",{id:"pinned",className:"alarm"},h(t.pinChanged),S(b(t.pinNew,Fd)));r.setAttribute("role","alert"),N("main").before(r)}
async function Dd(e){if(e.draft.ending())return;let t=await Hd().catch(()=>{});e.isOver()||(e.dispatch({type:"update",change:{pin:t}}),fr(e))}
function Ud(e){e.state.pin==="kept"&&(e.dispatch({type:"update",change:{pin:void 0}}),fr(e),os().catch(()=>{}))}
k({name:"pin",shapes:vd,validate:jd,wrap:{openVisit:e=>t=>{e(t),Dd(t)},renderHeader:e=>(t,n)=>{e(t,n),fr(n)},renderEnding:e=>(t,n,r)=>(Ud(r),e(t,n,r))}});
var pin=Rd;
