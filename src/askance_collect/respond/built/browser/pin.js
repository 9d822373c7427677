var Rd=/\npin\(.[0-9a-f]{64}./,
vd=/script-src .sha256-[\w+/=]{44}./,
jd="askance-pin",
Et={page:"",worker:""};
function Bd(e,t){Et={page:e,worker:t}}
var Hd={pin:!0};
function Pd({tablet:e,ending:t}){w(e===void 0&&t?.within===void 0,"pin")}
var qe=()=>`worker.js?${Et.page}`;
async function ur(e,t){let n=await fetch(e,{cache:t,credentials:"omit",redirect:"error"});if(!n.ok)throw new Error(e);return n.text()}
var rs=async e=>await V(e)===Et.worker,
Dd=async e=>await V(e.replace(Rd,`
pin(`).replace(vd,"script-src"))===Et.page;
async function Fd(){let e=navigator.serviceWorker;if(e.controller?.scriptURL===new URL(qe(),location.href).href)return await Md()&&await e.getRegistration()?"kept":"changed";if(!await rs(await ur(qe(),"default")))return;let t={createScriptURL:qe},n=globalThis.trustedTypes?.createPolicy("pin",t).createScriptURL("")??qe();return await e.register(n,{updateViaCache:"all"}),await e.ready,"kept"}
async function Md(){try{let[e,t]=await Promise.all([ur("./","no-store"),ur(qe(),"no-store")]);return await Dd(e)&&await rs(t)}catch{return!0}}
async function os(){let e=await navigator.serviceWorker?.getRegistration();if(!e?.active?.scriptURL.endsWith(qe()))return;await e.unregister();let t=await caches.keys();await Promise.all(t.filter(n=>n.startsWith(`${jd}:`)&&n.endsWith(Et.page)).map(n=>caches.delete(n)))}
async function Ud(){await os(),location.reload()}
function fr({state:e,speech:{words:t}}){let n=T("contact");if(T("pinned")?.remove(),e.pin==="kept"&&(n.querySelector("details")??n).append(m("p",{id:"pinned",className:"hint"},t.pinKept)),e.pin!=="changed")return;let r=m("section",{id:"pinned",className:"alarm"},h(t.pinChanged),S(b(t.pinNew,Ud)));r.setAttribute("role","alert"),T("main").before(r)}
async function Wd(e){if(e.draft.ending())return;let t=await Fd().catch(()=>{});e.isOver()||(e.dispatch({type:"update",change:{pin:t}}),fr(e))}
function Kd(e){e.state.pin==="kept"&&(e.dispatch({type:"update",change:{pin:void 0}}),fr(e),os().catch(()=>{}))}
y({name:"pin",shapes:Hd,validate:Pd,wrap:{openVisit:e=>t=>{e(t),Wd(t)},renderHeader:e=>(t,n)=>{e(t,n),fr(n)},renderEnding:e=>(t,n,r)=>(Kd(r),e(t,n,r))}});
var pin=Bd;
