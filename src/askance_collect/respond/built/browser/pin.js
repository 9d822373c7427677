var kd=/\npin\(.[0-9a-f]{64}./,
xd=/script-src .sha256-[\w+/=]{44}./,
Sd="askance-pin",
Ot={page:"",worker:""};
function Od(e,t){Ot={page:e,worker:t}}
var Ad={pin:!0};
function Ed({tablet:e,ending:t}){b(e===void 0&&t?.within===void 0,"pin")}
var Ze=()=>`worker.js?${Ot.page}`;
async function cr(e,t){let n=await fetch(e,{cache:t,credentials:"omit",redirect:"error"});if(!n.ok)throw new Error(e);return n.text()}
var Yo=async e=>await V(e)===Ot.worker,
Nd=async e=>await V(e.replace(kd,`
pin(`).replace(xd,"script-src"))===Ot.page;
async function Td(){let e=navigator.serviceWorker;if(e.controller?.scriptURL===new URL(Ze(),location.href).href)return await Ld()&&await e.getRegistration()?"kept":"changed";if(!await Yo(await cr(Ze(),"default")))return;let t={createScriptURL:Ze},n=globalThis.trustedTypes?.createPolicy("pin",t).createScriptURL("")??Ze();return await e.register(n,{updateViaCache:"all"}),await e.ready,"kept"}
async function Ld(){try{let[e,t]=await Promise.all([cr("./","no-store"),cr(Ze(),"no-store")]);return await Nd(e)&&await Yo(t)}catch{return!0}}
async function qo(){let e=await navigator.serviceWorker?.getRegistration();if(!e?.active?.scriptURL.endsWith(Ze()))return;await e.unregister();let t=await caches.keys();await Promise.all(t.filter(n=>n.startsWith(`${Sd}:`)&&n.endsWith(Ot.page)).map(n=>caches.delete(n)))}
async function Id(){await qo(),location.reload()}
function dr({state:e,speech:{words:t}}){if(N("pinned")?.remove(),e.pin==="kept"&&N("contact").append(p("p",{id:"pinned",className:"hint"},t.pinKept)),e.pin!=="changed")return;let n=p("section",{id:"pinned",className:"alarm"},h(t.pinChanged),S(w(t.pinNew,Id)));n.setAttribute("role","alert"),N("bar").after(n)}
async function Cd(e){if(e.draft.ending())return;let t=await Td().catch(()=>{});e.isOver()||(e.dispatch({type:"update",change:{pin:t}}),dr(e))}
function $d(e){e.state.pin==="kept"&&(e.dispatch({type:"update",change:{pin:void 0}}),dr(e),qo().catch(()=>{}))}
y({name:"pin",shapes:Ad,validate:Ed,wrap:{openVisit:e=>t=>{e(t),Cd(t)},renderHeader:e=>(t,n)=>{e(t,n),dr(n)},renderEnding:e=>(t,n,r)=>($d(r),e(t,n,r))}});
var pin=Od;
