var gd=/\npin\(.[0-9a-f]{64}./,
wd=/script-src .sha256-[\w+/=]{44}./,
bd="askance-pin",
At={page:"",worker:""};
function yd(e,t){At={page:e,worker:t}}
var kd={pin:!0};
function xd({tablet:e,ending:t}){b(e===void 0&&t?.within===void 0,"pin")}
var Je=()=>`worker.js?${At.page}`;
async function sr(e,t){let n=await fetch(e,{cache:t,credentials:"omit",redirect:"error"});if(!n.ok)throw new Error(e);return n.text()}
var _o=async e=>await V(e)===At.worker,
Sd=async e=>await V(e.replace(gd,`
pin(`).replace(wd,"script-src"))===At.page;
async function Od(){let e=navigator.serviceWorker;if(e.controller?.scriptURL===new URL(Je(),location.href).href)return await Ad()&&await e.getRegistration()?"kept":"changed";if(!await _o(await sr(Je(),"default")))return;let t={createScriptURL:Je},n=globalThis.trustedTypes?.createPolicy("pin",t).createScriptURL("")??Je();return await e.register(n,{updateViaCache:"all"}),await e.ready,"kept"}
async function Ad(){try{let[e,t]=await Promise.all([sr("./","no-store"),sr(Je(),"no-store")]);return await Sd(e)&&await _o(t)}catch{return!0}}
async function Go(){let e=await navigator.serviceWorker?.getRegistration();if(!e?.active?.scriptURL.endsWith(Je()))return;await e.unregister();let t=await caches.keys();await Promise.all(t.filter(n=>n.startsWith(`${bd}:`)&&n.endsWith(At.page)).map(n=>caches.delete(n)))}
async function Ed(){await Go(),location.reload()}
function ir({state:e,speech:{words:t}}){if(N("pinned")?.remove(),e.pin==="kept"&&N("contact").append(p("p",{id:"pinned",className:"hint"},t.pinKept)),e.pin!=="changed")return;let n=p("section",{id:"pinned",className:"alarm"},m(t.pinChanged),S(w(t.pinNew,Ed)));n.setAttribute("role","alert"),N("bar").after(n)}
async function Nd(e){if(e.draft.ending())return;let t=await Od().catch(()=>{});e.dispatch({type:"update",change:{pin:t}}),ir(e)}
function Td(e){e.state.pin==="kept"&&(e.dispatch({type:"update",change:{pin:void 0}}),ir(e),Go().catch(()=>{}))}
y({name:"pin",shapes:kd,validate:xd,wrap:{openVisit:e=>t=>{e(t),Nd(t)},renderHeader:e=>(t,n)=>{e(t,n),ir(n)},renderEnding:e=>(t,n,r)=>(Td(r),e(t,n,r))}});
var pin=yd;
