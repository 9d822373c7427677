var Od=/\npin\(.[0-9a-f]{64}./,
Ad=/script-src .sha256-[\w+/=]{44}./,
Ed="askance-pin",
Ot={page:"",worker:""};
function Nd(e,t){Ot={page:e,worker:t}}
var Td={pin:!0};
function Ld({tablet:e,ending:t}){b(e===void 0&&t?.within===void 0,"pin")}
var Ze=()=>`worker.js?${Ot.page}`;
async function cr(e,t){let n=await fetch(e,{cache:t,credentials:"omit",redirect:"error"});if(!n.ok)throw new Error(e);return n.text()}
var ts=async e=>await V(e)===Ot.worker,
Id=async e=>await V(e.replace(Od,`
pin(`).replace(Ad,"script-src"))===Ot.page;
async function Cd(){let e=navigator.serviceWorker;if(e.controller?.scriptURL===new URL(Ze(),location.href).href)return await $d()&&await e.getRegistration()?"kept":"changed";if(!await ts(await cr(Ze(),"default")))return;let t={createScriptURL:Ze},n=globalThis.trustedTypes?.createPolicy("pin",t).createScriptURL("")??Ze();return await e.register(n,{updateViaCache:"all"}),await e.ready,"kept"}
async function $d(){try{let[e,t]=await Promise.all([cr("./","no-store"),cr(Ze(),"no-store")]);return await Id(e)&&await ts(t)}catch{return!0}}
async function ns(){let e=await navigator.serviceWorker?.getRegistration();if(!e?.active?.scriptURL.endsWith(Ze()))return;await e.unregister();let t=await caches.keys();await Promise.all(t.filter(n=>n.startsWith(`${Ed}:`)&&n.endsWith(Ot.page)).map(n=>caches.delete(n)))}
async function Rd(){await ns(),location.reload()}
function dr({state:e,speech:{words:t}}){if(N("pinned")?.remove(),e.pin==="kept"&&N("contact").append(p("p",{id:"pinned",className:"hint"},t.pinKept)),e.pin!=="changed")return;let n=p("section",{id:"pinned",className:"alarm"},h(t.pinChanged),S(w(t.pinNew,Rd)));n.setAttribute("role","alert"),N("bar").after(n)}
async function vd(e){if(e.draft.ending())return;let t=await Cd().catch(()=>{});e.isOver()||(e.dispatch({type:"update",change:{pin:t}}),dr(e))}
function jd(e){e.state.pin==="kept"&&(e.dispatch({type:"update",change:{pin:void 0}}),dr(e),ns().catch(()=>{}))}
y({name:"pin",shapes:Td,validate:Ld,wrap:{openVisit:e=>t=>{e(t),vd(t)},renderHeader:e=>(t,n)=>{e(t,n),dr(n)},renderEnding:e=>(t,n,r)=>(jd(r),e(t,n,r))}});
var pin=Nd;
