var Qc=/\npin\(.[0-9a-f]{64}./,
Jc=/script-src .sha256-[\w+/=]{44}./,
Zc="askance-pin",
gt={page:"",worker:""};
function Yc(e,t){gt={page:e,worker:t}}
function Xc({pin:e,tablet:t,ending:n}){p(e===!0&&t===void 0&&n?.within===void 0,"pin")}
var _e=()=>`worker.js?${gt.page}`;
async function Un(e,t){let n=await fetch(e,{cache:t,credentials:"omit",redirect:"error"});if(!n.ok)throw new Error(e);return n.text()}
var So=async e=>await V(e)===gt.worker,
qc=async e=>await V(e.replace(Qc,`
pin(`).replace(Jc,"script-src"))===gt.page;
async function ed(){let e=navigator.serviceWorker;if(e.controller?.scriptURL===new URL(_e(),location.href).href)return await td()&&await e.getRegistration()?"kept":"changed";if(!await So(await Un(_e(),"default")))return;let t={createScriptURL:_e},n=globalThis.trustedTypes?.createPolicy("pin",t).createScriptURL("")??_e();return await e.register(n,{updateViaCache:"all"}),await e.ready,"kept"}
async function td(){try{let[e,t]=await Promise.all([Un("./","no-store"),Un(_e(),"no-store")]);return await qc(e)&&await So(t)}catch{return!0}}
async function Oo(){let e=await navigator.serviceWorker?.getRegistration();if(!e?.active?.scriptURL.endsWith(_e()))return;await e.unregister();let t=await caches.keys();await Promise.all(t.filter(n=>n.startsWith(`${Zc}:`)&&n.endsWith(gt.page)).map(n=>caches.delete(n)))}
async function nd(){await Oo(),location.reload()}
function Fn({state:e,speech:{words:t}}){if(L("pinned")?.remove(),e.pin==="kept"&&L("contact").append(m("p",{id:"pinned",className:"hint"},t.pinKept)),e.pin!=="changed")return;let n=m("section",{id:"pinned",className:"alarm"},h(t.pinChanged),S(b(t.pinNew,nd)));n.setAttribute("role","alert"),L("bar").after(n)}
async function rd(e){if(e.draft.ending())return;let t=await ed().catch(()=>{});e.dispatch({type:"update",change:{pin:t}}),Fn(e)}
function od(e){e.state.pin==="kept"&&(e.dispatch({type:"update",change:{pin:void 0}}),Fn(e),Oo().catch(()=>{}))}
k({name:"pin",detect:({pin:e})=>e!==void 0,validate:Xc,wrap:{openVisit:e=>t=>{e(t),rd(t)},renderHeader:e=>(t,n)=>{e(t,n),Fn(n)},renderEnding:e=>(t,n,r)=>(od(r),e(t,n,r))}});
var pin=Yc;
