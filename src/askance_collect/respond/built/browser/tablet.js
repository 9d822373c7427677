var fs=10,
Tl=["unreachable","blocked","busy","disk-full","read-only","disk-error"],
Ll={tablet:!0};
function Il({later:e,quotas:t,tokens:n,open:r,ending:o}){let s=[e,t,n,r,o?.url,o?.within];w(s.every(i=>i===void 0),"tablet")}
var ps=()=>`askance-tablet:${new URL(".",location.href).pathname}`,
$l=e=>new Promise((t,n)=>{e.onsuccess=()=>t(e.result),e.onerror=()=>n(e.error)});
async function cn(e,t){let n=indexedDB.open(ps(),1);n.onupgradeneeded=()=>["reports","sending"].forEach(o=>n.result.createObjectStore(o));let r=await $l(n);try{let o=r.transaction(["reports","sending"],e,{durability:"strict"}),s=new Promise((a,c)=>{o.oncomplete=a,o.onabort=()=>c(o.error)}),i=t(o.objectStore("reports"),o.objectStore("sending"));return await s,i.map(({result:a})=>a)}finally{r.close()}}
var Cl=(e,t)=>cn("readwrite",n=>{let[r,o]=[n.getAllKeys(),n.getAll()];return o.onsuccess=()=>{let i=[...r.result.map((a,c)=>({key:a,value:o.result[c]})).filter(({key:a})=>a!==e),{key:e,value:t}].sort((a,c)=>indexedDB.cmp(a.key,c.key));try{for(let{key:a,value:c}of i)n.put(c,a)}catch{n.transaction.abort()}},[r]}),
Rl=e=>cn("readwrite",t=>[t.delete(e)]),
ms=e=>cn("readwrite",(t,n)=>[e?n.put(!0,0):n.delete(0)]).catch(()=>{});
async function hr({form:e,fingerprint:t}){let[n,r,o]=await cn("readonly",(a,c)=>[a.getAllKeys(),a.getAll(),c.get(0)]),s=n.map((a,c)=>({id:a,body:r[c]})),i=s.filter(({id:a,body:c})=>vl(a,c,e,t));return{all:s,fit:i,begun:o}}
function vl(e,t,{questions:n,size:r},o){try{let{answers:s,form:i,id:a}=JSON.parse(t),c=n.map(({name:l})=>s[l]),d=U({answers:s,form:i,id:a}).padEnd(r)===t&&t.length===r,u=a===e&&i===o&&Object.keys(s).length===n.length;return d&&u&&lt(n,{id:e,values:c})}catch{return!1}}
async function jl(e,t){let{form:n}=e,{fit:r}=await hr(e),o={arrived:0,refused:{},stopped:!1};await ms(!0);for(let{id:s,body:i}of r){let{id:a,code:c=""}=await Kt(z(n,location.href),i,s);if(a)await Rl(s),t(o.arrived+=1);else if(Tl.includes(c)){o.stopped=!0;break}else o.refused[c]=(o.refused[c]??0)+1}return await ms(!1),o}
var Nt=Object.assign(new EventTarget,{readiness:e=>e.tabletUnready,isLasting:!0});
function dn(e){Object.assign(Nt,e),Nt.dispatchEvent(new Event("change"))}
var Bl=Hl(()=>{Pl(),Dl()});
function Hl(e){let t=!1;return()=>{t||e(),t=!0}}
async function Pl(){try{let e={createScriptURL:()=>"worker.js"},t=globalThis.trustedTypes?.createPolicy("tablet",e).createScriptURL("")??"worker.js",n=await navigator.serviceWorker.register(t);await navigator.serviceWorker.ready,dn({readiness:s=>s.tabletReady});let{installing:r,waiting:o}=await n.update();(r??o)&&dn({readiness:s=>s.tabletChanged})}catch{}}
async function Dl(){try{dn({isLasting:await navigator.storage.persist()})}catch{dn({isLasting:!1})}}
function ln(){let e=h("","hint");return e.setAttribute("role","status"),e}
function hs(){let e=m("div",{});e.setAttribute("role","status");let t={outcome:e},n;return{render(r){return n=new AbortController,Fl(r,t,n)},dispose:()=>n.abort()}}
function Fl(e,t,n){let{form:r,fingerprint:o,speech:s}=e,{words:i}=s,a={hand:b(i.tabletHand,()=>e.turnTo(_l),"main"),send:b(i.tabletSend,()=>ws(e,t)),file:b(i.tabletSave,()=>Wl(e,t))};for(let c of Object.values(a))c.hidden=!0;return Object.assign(t,a,{number:m("h2",{},i.wait),unfit:ln(),few:ln()}),gr(t,e.state.isSending),Ul(e,t,n),gs(e,t,i.tabletStopped),[A(i.tabletHead),h(s.text(r.title)),t.number,t.outcome,t.unfit,t.few,S(a.send,a.file,a.hand),...Ml(i,n),mt(o,s)]}
function Ml(e,t){let[n,r]=[ln(),ln()],o=()=>{n.textContent=Nt.readiness(e),r.textContent=Nt.isLasting?"":e.tabletRoom};return Nt.addEventListener("change",o,t),Bl(),o(),[n,r]}
var gr=({hand:e,file:t},n)=>[e,t].forEach(r=>r.disabled=n);
async function gs(e,t,n){let{words:r}=e.speech;try{let{all:o,fit:s,begun:i}=await hr(e),{hand:a,send:c,file:d,number:u,unfit:l,few:f,outcome:p}=t,g=o.length-s.length;u.textContent=r.tabletWaiting(s.length),l.textContent=g>0?r.tabletUnfit(g):"",f.textContent=s.length>0&&s.length<fs?r.tabletFew:"",i&&n&&!e.state.isSending&&p.replaceChildren(h(n)),a.hidden=!1,c.hidden=s.length===0,d.hidden=o.length===0,e.dispatch({type:"update",change:{waiting:s.length}})}catch{t.number.textContent=r.tabletNever}}
function Ul(e,t,n){window.addEventListener("online",()=>(e.state.waiting??0)>=fs&&ws(e,t),n)}
async function ws(e,t){if(e.state.isSending)return;let{words:n}=e.speech,r=(...o)=>t.outcome.replaceChildren(...o.map(s=>h(s)));e.dispatch({type:"send"}),gr(t,!0),r(n.sending);try{let o=()=>jl(e,d=>r(n.tabletSent(d))),{arrived:s,refused:i,stopped:a}=await navigator.locks.request(ps(),o),c=Object.entries(i).map(([d,u])=>n.tabletRefused(d,u));r(n.tabletSent(s),...a?[n.tabletStopped]:[],...c)}catch{r(n.tabletStopped)}e.dispatch({type:"update",change:{isSending:!1}}),gr(t,!1),await gs(e,t)}
async function Wl(e,{outcome:t}){let{all:n}=await hr(e);zn("reports.askance",n.map(({body:r})=>r).join(`
`)),t.replaceChildren(h(e.speech.words.tabletSaved))}
function Kl({state:{aside:e,ending:t}}){T("bar").querySelector(".leave").hidden=t!==void 0||e!==void 0}
var bs=e=>e.turnTo(hs()),
_l={back:bs,render:e=>[A(e.speech.words.tabletGive),h(e.speech.words.tabletGiveHint),S(b(e.speech.words.back,()=>bs(e)),b(e.speech.words.tabletMine,()=>e.turnTo(void 0),"main"))]};
function ys(e,t,n,...r){return[A(t),h(n),...r,S(b(e.speech.words.tabletBack,()=>zl(e),"main"))]}
var Gl={render:e=>ys(e,e.speech.words.tabletLeft,e.speech.words.tabletLeftHint)},
wr=({form:e,fingerprint:t})=>ge(e,t,()=>{});
function zl(e){let{form:t,fingerprint:n}=e;e.dispose(),sn(t,n,wr(e))}
function Vl(e){e.forget(),e.draft=wr(e),e.turnTo(Gl)}
var Ql=e=>(t,n)=>{e(t,n);let{words:r}=n.speech;Object.assign(r,{nothingYet:r.tabletNothing,leaveHint:r.tabletLeave,cardTold:r.tabletTold,cardWrong:r.tabletWrong,unreachable:r.tabletUnkept,frozen:r.tabletFrozen}),t.querySelector(".leave")?.replaceWith(b(r.leave,()=>n.state.isSending||Vl(n),"leave"))};
function Jl(e){e.draft=wr(e),e.dispatch({type:"update",change:{aside:hs(),ending:void 0}}),e.post=async(t,n,r)=>{try{await Cl(r,n)}catch{return{code:"unreachable"}}return{id:r,digest:await V(n)}}}
function Zl(e,t){let{words:n}=t.speech,{receipt:r}=t.state;if(!r)return e;let s=[[n.receiptId,r.id],[n.receiptDigest,r.digest]].map(([a,c])=>m("div",{},m("dt",{},a),m("dd",{className:"code",translate:!1},c))),i=v(n.receipt,m("dl",{className:"receipt"},...s),h(n.withdraw));return ys(t,n.tabletDone,n.tabletDoneHint,i)}
y({name:"tablet",shapes:Ll,validate:Il,wrap:{openVisit:e=>t=>{Jl(t),e(t)},renderHeader:Ql,updateHeader:e=>t=>{e(t),Kl(t)},renderEnding:e=>(t,n,r)=>e(Zl(t,r),n,r)}});
