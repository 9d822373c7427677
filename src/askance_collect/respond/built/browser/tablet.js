var Yo=10,
ol=["unreachable","blocked","busy","disk-full","read-only","disk-error"],
sl={tablet:!0};
function il({later:e,quotas:t,tokens:n,open:r,ending:o}){let s=[e,t,n,r,o?.url,o?.within];b(s.every(i=>i===void 0),"tablet")}
var qo=()=>`askance-tablet:${new URL(".",location.href).pathname}`,
al=e=>new Promise((t,n)=>{e.onsuccess=()=>t(e.result),e.onerror=()=>n(e.error)});
async function sn(e,t){let n=indexedDB.open(qo(),1);n.onupgradeneeded=()=>["reports","sending"].forEach(o=>n.result.createObjectStore(o));let r=await al(n);try{let o=r.transaction(["reports","sending"],e,{durability:"strict"}),s=new Promise((a,c)=>{o.oncomplete=a,o.onabort=()=>c(o.error)}),i=t(o.objectStore("reports"),o.objectStore("sending"));return await s,i.map(({result:a})=>a)}finally{r.close()}}
var cl=(e,t)=>sn("readwrite",n=>{let[r,o]=[n.getAllKeys(),n.getAll()];return o.onsuccess=()=>{let i=[...r.result.map((a,c)=>({key:a,value:o.result[c]})).filter(({key:a})=>a!==e),{key:e,value:t}].sort((a,c)=>indexedDB.cmp(a.key,c.key));try{for(let{key:a,value:c}of i)n.put(c,a)}catch{n.transaction.abort()}},[r]}),
dl=e=>sn("readwrite",t=>[t.delete(e)]),
es=e=>sn("readwrite",(t,n)=>[e?n.put(!0,0):n.delete(0)]).catch(()=>{});
async function dr({form:e,fingerprint:t}){let[n,r,o]=await sn("readonly",(a,c)=>[a.getAllKeys(),a.getAll(),c.get(0)]),s=n.map((a,c)=>({id:a,body:r[c]})),i=s.filter(({id:a,body:c})=>ll(a,c,e,t));return{all:s,fit:i,begun:o}}
function ll(e,t,{questions:n,size:r},o){try{let{answers:s,form:i,id:a}=JSON.parse(t),c=n.map(({name:l})=>s[l]),d=F({answers:s,form:i,id:a}).padEnd(r)===t&&t.length===r,u=a===e&&i===o&&Object.keys(s).length===n.length;return d&&u&&at(n,{id:e,values:c})}catch{return!1}}
async function ul(e,t){let{form:n}=e,{fit:r}=await dr(e),o={arrived:0,refused:{},stopped:!1};await es(!0);for(let{id:s,body:i}of r){let{id:a,code:c=""}=await Ft(z(n,location.href),i,s);if(a)await dl(s),t(o.arrived+=1);else if(ol.includes(c)){o.stopped=!0;break}else o.refused[c]=(o.refused[c]??0)+1}return await es(!1),o}
var Et=Object.assign(new EventTarget,{readiness:e=>e.tabletUnready,isLasting:!0});
function an(e){Object.assign(Et,e),Et.dispatchEvent(new Event("change"))}
var fl=pl(()=>{ml(),hl()});
function pl(e){let t=!1;return()=>{t||e(),t=!0}}
async function ml(){try{let e={createScriptURL:()=>"worker.js"},t=globalThis.trustedTypes?.createPolicy("tablet",e).createScriptURL("")??"worker.js",n=await navigator.serviceWorker.register(t);await navigator.serviceWorker.ready,an({readiness:s=>s.tabletReady});let{installing:r,waiting:o}=await n.update();(r??o)&&an({readiness:s=>s.tabletChanged})}catch{}}
async function hl(){try{an({isLasting:await navigator.storage.persist()})}catch{an({isLasting:!1})}}
function cn(){let e=m("","hint");return e.setAttribute("role","status"),e}
function ts(){let e=p("div",{});e.setAttribute("role","status");let t={outcome:e},n;return{render(r){return n=new AbortController,gl(r,t,n)},dispose:()=>n.abort()}}
function gl(e,t,n){let{form:r,fingerprint:o,speech:s}=e,{words:i}=s,a={hand:w(i.tabletHand,()=>e.turnTo(xl),"main"),send:w(i.tabletSend,()=>rs(e,t)),file:w(i.tabletSave,()=>yl(e,t))};for(let c of Object.values(a))c.hidden=!0;return Object.assign(t,a,{number:p("h2",{},i.wait),unfit:cn(),few:cn()}),lr(t,e.state.isSending),bl(e,t,n),ns(e,t,i.tabletStopped),[O(i.tabletHead),m(s.text(r.title)),t.number,t.outcome,t.unfit,t.few,S(a.send,a.file,a.hand),...wl(i,n),ut(o,s)]}
function wl(e,t){let[n,r]=[cn(),cn()],o=()=>{n.textContent=Et.readiness(e),r.textContent=Et.isLasting?"":e.tabletRoom};return Et.addEventListener("change",o,t),fl(),o(),[n,r]}
var lr=({hand:e,file:t},n)=>[e,t].forEach(r=>r.disabled=n);
async function ns(e,t,n){let{words:r}=e.speech;try{let{all:o,fit:s,begun:i}=await dr(e),{hand:a,send:c,file:d,number:u,unfit:l,few:f,outcome:h}=t,g=o.length-s.length;u.textContent=r.tabletWaiting(s.length),l.textContent=g>0?r.tabletUnfit(g):"",f.textContent=s.length>0&&s.length<Yo?r.tabletFew:"",i&&n&&!e.state.isSending&&h.replaceChildren(m(n)),a.hidden=!1,c.hidden=s.length===0,d.hidden=o.length===0,e.dispatch({type:"update",change:{waiting:s.length}})}catch{t.number.textContent=r.tabletNever}}
function bl(e,t,n){window.addEventListener("online",()=>(e.state.waiting??0)>=Yo&&rs(e,t),n)}
async function rs(e,t){if(e.state.isSending)return;let{words:n}=e.speech,r=(...o)=>t.outcome.replaceChildren(...o.map(s=>m(s)));e.dispatch({type:"send"}),lr(t,!0),r(n.sending);try{let o=()=>ul(e,d=>r(n.tabletSent(d))),{arrived:s,refused:i,stopped:a}=await navigator.locks.request(qo(),o),c=Object.entries(i).map(([d,u])=>n.tabletRefused(d,u));r(n.tabletSent(s),...a?[n.tabletStopped]:[],...c)}catch{r(n.tabletStopped)}e.dispatch({type:"update",change:{isSending:!1}}),lr(t,!1),await ns(e,t)}
async function yl(e,{outcome:t}){let{all:n}=await dr(e);Fn("reports.askance",n.map(({body:r})=>r).join(`
`)),t.replaceChildren(m(e.speech.words.tabletSaved))}
function kl({state:{aside:e,ending:t}}){N("bar").querySelector(".leave").hidden=t!==void 0||e!==void 0}
var os=e=>e.turnTo(ts()),
xl={back:os,render:e=>[O(e.speech.words.tabletGive),m(e.speech.words.tabletGiveHint),S(w(e.speech.words.back,()=>os(e)),w(e.speech.words.tabletMine,()=>e.turnTo(void 0),"main"))]};
function ss(e,t,n,...r){return[O(t),m(n),...r,S(w(e.speech.words.tabletBack,()=>Ol(e),"main"))]}
var Sl={render:e=>ss(e,e.speech.words.tabletLeft,e.speech.words.tabletLeftHint)},
ur=({form:e,fingerprint:t})=>pe(e,t,()=>{});
function Ol(e){let{form:t,fingerprint:n}=e;e.dispose(),e.dispatch=()=>{},rn(t,n,ur(e))}
function Al(e){e.forget(),e.draft=ur(e),e.turnTo(Sl)}
var El=e=>(t,n)=>{e(t,n);let{words:r}=n.speech;Object.assign(r,{nothingYet:r.tabletNothing,leaveHint:r.tabletLeave,cardTold:r.tabletTold,cardWrong:r.tabletWrong,unreachable:r.tabletUnkept,frozen:r.tabletFrozen}),t.querySelector(".leave")?.replaceWith(w(r.leave,()=>n.state.isSending||Al(n),"leave"))};
function Nl(e){e.draft=ur(e),e.dispatch({type:"update",change:{aside:ts(),ending:void 0}}),e.post=async(t,n,r)=>{try{await cl(r,n)}catch{return{code:"unreachable"}}return{id:r,digest:await V(n)}}}
function Tl(e,t){let{words:n}=t.speech,{receipt:r}=t.state;if(!r)return e;let s=[[n.receiptId,r.id],[n.receiptDigest,r.digest]].map(([a,c])=>p("div",{},p("dt",{},a),p("dd",{className:"code",translate:!1},c))),i=D(n.receipt,p("dl",{className:"receipt"},...s),m(n.withdraw));return ss(t,n.tabletDone,n.tabletDoneHint,i)}
y({name:"tablet",shapes:sl,validate:il,wrap:{openVisit:e=>t=>{Nl(t),e(t)},renderHeader:El,updateHeader:e=>t=>{e(t),kl(t)},renderEnding:e=>(t,n,r)=>e(Tl(t,r),n,r)}});
