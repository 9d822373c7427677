var Td=/\npin\(.[0-9a-f]{64}./,
Ld=/script-src .sha256-[\w+/=]{44}./,
Id="askance-pin",
Et={page:"",worker:""};
function Cd(e,t){Et={page:e,worker:t}}
var $d={pin:!0};
function Rd({tablet:e,ending:t}){w(e===void 0&&t?.within===void 0,"pin")}
var Ye=()=>`worker.js?${Et.page}`;
async function lr(e,t){let n=await fetch(e,{cache:t,credentials:"omit",redirect:"error"});if(!n.ok)throw new Error(e);return n.text()}
var rs=async e=>await V(e)===Et.worker,
vd=async e=>await V(e.replace(Td,`
pin(`).replace(Ld,"script-src"))===Et.page;
async function jd(){let e=navigator.serviceWorker;if(e.controller?.scriptURL===new URL(Ye(),location.href).href)return await Bd()&&await e.getRegistration()?"kept":"changed";if(!await rs(await lr(Ye(),"default")))return;let t={createScriptURL:Ye},n=globalThis.trustedTypes?.createPolicy("pin",t).createScriptURL("")??Ye();return await e.register(n,{updateViaCache:"all"}),await e.ready,"kept"}
async function Bd(){try{let[e,t]=await Promise.all([lr("./","no-store"),lr(Ye(),"no-store")]);return await vd(e)&&await rs(t)}catch{return!0}}
async function os(){let e=await navigator.serviceWorker?.getRegistration();if(!e?.active?.scriptURL.endsWith(Ye()))return;await e.unregister();let t=await caches.keys();await Promise.all(t.filter(n=>n.startsWith(`${Id}:`)&&n.endsWith(Et.page)).map(n=>caches.delete(n)))}
async function Hd(){await os(),location.reload()}
function ur({state:e,speech:{words:t}}){let n=N("contact");if(N("pinned")?.remove(),e.pin==="kept"&&(n.querySelector("details")??n).append(p("p",{id:"pinned",className:"hint"},t.pinKept)),e.pin!=="changed")return;let r=p("section",{id:"pinned",className:"alarm"},h(t.pinChanged),S(b(t.pinNew,Hd)));r.setAttribute("role","alert"),N("main").before(r)}
async function Pd(e){if(e.draft.ending())return;let t=await jd().catch(()=>{});e.isOver()||(e.dispatch({type:"update",change:{pin:t}}),ur(e))}
function Fd(e){e.state.pin==="kept"&&(e.dispatch({type:"update",change:{pin:void 0}}),ur(e),os().catch(()=>{}))}
k({name:"pin",shapes:$d,validate:Rd,wrap:{openVisit:e=>t=>{e(t),Pd(t)},renderHeader:e=>(t,n)=>{e(t,n),ur(n)},renderEnding:e=>(t,n,r)=>(Fd(r),e(t,n,r))}});
var pin=Cd;
var Ed=/\npin\(.[0-9a-f]{64}./,
Nd=/script-src .sha256-[\w+/=]{44}./,
Td="askance-pin",
Ot={page:"",worker:""};
function Ld(e,t){Ot={page:e,worker:t}}
var Id={pin:!0};
function Cd({tablet:e,ending:t}){b(e===void 0&&t?.within===void 0,"pin")}
var Ze=()=>`worker.js?${Ot.page}`;
async function dr(e,t){let n=await fetch(e,{cache:t,credentials:"omit",redirect:"error"});if(!n.ok)throw new Error(e);return n.text()}
var ts=async e=>await V(e)===Ot.worker,
$d=async e=>await V(e.replace(Ed,`
pin(`).replace(Nd,"script-src"))===Ot.page;
async function Rd(){let e=navigator.serviceWorker;if(e.controller?.scriptURL===new URL(Ze(),location.href).href)return await vd()&&await e.getRegistration()?"kept":"changed";if(!await ts(await dr(Ze(),"default")))return;let t={createScriptURL:Ze},n=globalThis.trustedTypes?.createPolicy("pin",t).createScriptURL("")??Ze();return await e.register(n,{updateViaCache:"all"}),await e.ready,"kept"}
async function vd(){try{let[e,t]=await Promise.all([dr("./","no-store"),dr(Ze(),"no-store")]);return await $d(e)&&await ts(t)}catch{return!0}}
async function ns(){let e=await navigator.serviceWorker?.getRegistration();if(!e?.active?.scriptURL.endsWith(Ze()))return;await e.unregister();let t=await caches.keys();await Promise.all(t.filter(n=>n.startsWith(`${Td}:`)&&n.endsWith(Ot.page)).map(n=>caches.delete(n)))}
async function jd(){await ns(),location.reload()}
function lr({state:e,speech:{words:t}}){if(T("pinned")?.remove(),e.pin==="kept"&&T("contact").append(m("p",{id:"pinned",className:"hint"},t.pinKept)),e.pin!=="changed")return;let n=m("section",{id:"pinned",className:"alarm"},h(t.pinChanged),S(w(t.pinNew,jd)));n.setAttribute("role","alert"),T("bar").after(n)}
async function Bd(e){if(e.draft.ending())return;let t=await Rd().catch(()=>{});e.isOver()||(e.dispatch({type:"update",change:{pin:t}}),lr(e))}
function Hd(e){e.state.pin==="kept"&&(e.dispatch({type:"update",change:{pin:void 0}}),lr(e),ns().catch(()=>{}))}
y({name:"pin",shapes:Id,validate:Cd,wrap:{openVisit:e=>t=>{e(t),Bd(t)},renderHeader:e=>(t,n)=>{e(t,n),lr(n)},renderEnding:e=>(t,n,r)=>(Hd(r),e(t,n,r))}});
var pin=Ld;
