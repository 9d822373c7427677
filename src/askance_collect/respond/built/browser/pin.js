var rd=/\npin\(.[0-9a-f]{64}./,
od=/script-src .sha256-[\w+/=]{44}./,
sd="askance-pin",
wt={page:"",worker:""};
function id(e,t){wt={page:e,worker:t}}
function ad({pin:e,tablet:t,ending:n}){p(e===!0&&t===void 0&&n?.within===void 0,"pin")}
var _e=()=>`worker.js?${wt.page}`;
async function Wn(e,t){let n=await fetch(e,{cache:t,credentials:"omit",redirect:"error"});if(!n.ok)throw new Error(e);return n.text()}
var $o=async e=>await Q(e)===wt.worker,
cd=async e=>await Q(e.replace(rd,`
pin(`).replace(od,"script-src"))===wt.page;
async function dd(){let e=navigator.serviceWorker;if(e.controller?.scriptURL===new URL(_e(),location.href).href)return await ld()&&await e.getRegistration()?"kept":"changed";if(!await $o(await Wn(_e(),"default")))return;let t={createScriptURL:_e},n=globalThis.trustedTypes?.createPolicy("pin",t).createScriptURL("")??_e();return await e.register(n,{updateViaCache:"all"}),await e.ready,"kept"}
async function ld(){try{let[e,t]=await Promise.all([Wn("./","no-store"),Wn(_e(),"no-store")]);return await cd(e)&&await $o(t)}catch{return!0}}
async function Lo(){let e=await navigator.serviceWorker?.getRegistration();if(!e?.active?.scriptURL.endsWith(_e()))return;await e.unregister();let t=await caches.keys();await Promise.all(t.filter(n=>n.startsWith(`${sd}:`)&&n.endsWith(wt.page)).map(n=>caches.delete(n)))}
async function ud(){await Lo(),location.reload()}
function _n({state:e,speech:{words:t}}){if(L("pinned")?.remove(),e.pin==="kept"&&L("contact").append(m("p",{id:"pinned",className:"hint"},t.pinKept)),e.pin!=="changed")return;let n=m("section",{id:"pinned",className:"alarm"},h(t.pinChanged),O(b(t.pinNew,ud)));n.setAttribute("role","alert"),L("bar").after(n)}
async function fd(e){if(e.draft.ending())return;let t=await dd().catch(()=>{});e.dispatch({type:"update",change:{pin:t}}),_n(e)}
function pd(e){e.state.pin==="kept"&&(e.dispatch({type:"update",change:{pin:void 0}}),_n(e),Lo().catch(()=>{}))}
k({name:"pin",detect:({pin:e})=>e!==void 0,validate:ad,wrap:{openVisit:e=>t=>{e(t),fd(t)},renderHeader:e=>(t,n)=>{e(t,n),_n(n)},renderEnding:e=>(t,n,r)=>(pd(r),e(t,n,r))}});
var pin=id;
var id=/\npin\(.[0-9a-f]{64}./,
ad=/script-src .sha256-[\w+/=]{44}./,
cd="askance-pin",
Ot={page:"",worker:""};
function dd(e,t){Ot={page:e,worker:t}}
var ld={pin:!0};
function ud({tablet:e,ending:t}){b(e===void 0&&t?.within===void 0,"pin")}
var Je=()=>`worker.js?${Ot.page}`;
async function rr(e,t){let n=await fetch(e,{cache:t,credentials:"omit",redirect:"error"});if(!n.ok)throw new Error(e);return n.text()}
var Fo=async e=>await z(e)===Ot.worker,
fd=async e=>await z(e.replace(id,`
pin(`).replace(ad,"script-src"))===Ot.page;
async function pd(){let e=navigator.serviceWorker;if(e.controller?.scriptURL===new URL(Je(),location.href).href)return await md()&&await e.getRegistration()?"kept":"changed";if(!await Fo(await rr(Je(),"default")))return;let t={createScriptURL:Je},n=globalThis.trustedTypes?.createPolicy("pin",t).createScriptURL("")??Je();return await e.register(n,{updateViaCache:"all"}),await e.ready,"kept"}
async function md(){try{let[e,t]=await Promise.all([rr("./","no-store"),rr(Je(),"no-store")]);return await fd(e)&&await Fo(t)}catch{return!0}}
async function Mo(){let e=await navigator.serviceWorker?.getRegistration();if(!e?.active?.scriptURL.endsWith(Je()))return;await e.unregister();let t=await caches.keys();await Promise.all(t.filter(n=>n.startsWith(`${cd}:`)&&n.endsWith(Ot.page)).map(n=>caches.delete(n)))}
async function hd(){await Mo(),location.reload()}
function or({state:e,speech:{words:t}}){if(N("pinned")?.remove(),e.pin==="kept"&&N("contact").append(p("p",{id:"pinned",className:"hint"},t.pinKept)),e.pin!=="changed")return;let n=p("section",{id:"pinned",className:"alarm"},m(t.pinChanged),x(w(t.pinNew,hd)));n.setAttribute("role","alert"),N("bar").after(n)}
async function gd(e){if(e.draft.ending())return;let t=await pd().catch(()=>{});e.dispatch({type:"update",change:{pin:t}}),or(e)}
function wd(e){e.state.pin==="kept"&&(e.dispatch({type:"update",change:{pin:void 0}}),or(e),Mo().catch(()=>{}))}
y({name:"pin",shapes:ld,validate:ud,wrap:{openVisit:e=>t=>{e(t),gd(t)},renderHeader:e=>(t,n)=>{e(t,n),or(n)},renderEnding:e=>(t,n,r)=>(wd(r),e(t,n,r))}});
var pin=dd;
