var Ud=/\npin\(.[0-9a-f]{64}./,
Wd=/script-src .sha256-[\w+/=]{44}./,
Kd="askance-pin",
Nt={page:"",worker:""};
function _d(e,t){Nt={page:e,worker:t}}
var Gd={pin:!0};
function zd({tablet:e,ending:t}){w(e===void 0&&t?.within===void 0,"pin")}
var qe=()=>`worker.js?${Nt.page}`;
async function pr(e,t){let n=await fetch(e,{cache:t,credentials:"omit",redirect:"error"});if(!n.ok)throw new Error(e);return n.text()}
var ss=async e=>await J(e)===Nt.worker,
Vd=async e=>await J(e.replace(Ud,`
pin(`).replace(Wd,"script-src"))===Nt.page;
async function Qd(){let e=navigator.serviceWorker;if(e.controller?.scriptURL===new URL(qe(),location.href).href)return await Jd()&&await e.getRegistration()?"kept":"changed";if(!await ss(await pr(qe(),"default")))return;let t={createScriptURL:qe},n=globalThis.trustedTypes?.createPolicy("pin",t).createScriptURL("")??qe();return await e.register(n,{updateViaCache:"all"}),await e.ready,"kept"}
async function Jd(){try{let[e,t]=await Promise.all([pr("./","no-store"),pr(qe(),"no-store")]);return await Vd(e)&&await ss(t)}catch{return!0}}
async function is(){let e=await navigator.serviceWorker?.getRegistration();if(!e?.active?.scriptURL.endsWith(qe()))return;await e.unregister();let t=await caches.keys();await Promise.all(t.filter(n=>n.startsWith(`${Kd}:`)&&n.endsWith(Nt.page)).map(n=>caches.delete(n)))}
async function Zd(){await is(),location.reload()}
function mr({state:e,speech:{words:t}}){if(L("pinned")?.remove(),e.pin==="kept"&&L("main").after(p("p",{id:"pinned",className:"hint"},t.pinKept)),e.pin!=="changed")return;let n=p("section",{id:"pinned",className:"alarm"},h(t.pinChanged),S(y(t.pinNew,Zd)));n.setAttribute("role","alert"),L("main").before(n)}
async function Xd(e){if(e.draft.ending())return;let t=await Qd().catch(()=>{});e.isOver()||(e.dispatch({type:"update",change:{pin:t}}),mr(e))}
function Yd(e){e.state.pin==="kept"&&(e.dispatch({type:"update",change:{pin:void 0}}),mr(e),is().catch(()=>{}))}
b({name:"pin",shapes:Gd,validate:zd,wrap:{openVisit:e=>t=>{e(t),Xd(t)},renderHeader:e=>(t,n)=>{e(t,n),mr(n)},renderEnding:e=>(t,n,r)=>(Yd(r),e(t,n,r))}});
var pin=_d;
