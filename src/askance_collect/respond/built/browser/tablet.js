var ds=10,
wl=["unreachable","blocked","busy","disk-full","read-only","disk-error"],
bl={tablet:!0};
function yl({later:e,quotas:t,tokens:n,open:r,ending:o}){let s=[e,t,n,r,o?.url,o?.within];b(s.every(i=>i===void 0),"tablet")}
var ls=()=>`askance-tablet:${new URL(".",location.href).pathname}`,
kl=e=>new Promise((t,n)=>{e.onsuccess=()=>t(e.result),e.onerror=()=>n(e.error)});
async function sn(e,t){let n=indexedDB.open(ls(),1);n.onupgradeneeded=()=>["reports","sending"].forEach(o=>n.result.createObjectStore(o));let r=await kl(n);try{let o=r.transaction(["reports","sending"],e,{durability:"strict"}),s=new Promise((a,c)=>{o.oncomplete=a,o.onabort=()=>c(o.error)}),i=t(o.objectStore("reports"),o.objectStore("sending"));return await s,i.map(({result:a})=>a)}finally{r.close()}}
var xl=(e,t)=>sn("readwrite",n=>{let[r,o]=[n.getAllKeys(),n.getAll()];return o.onsuccess=()=>{let i=[...r.result.map((a,c)=>({key:a,value:o.result[c]})).filter(({key:a})=>a!==e),{key:e,value:t}].sort((a,c)=>indexedDB.cmp(a.key,c.key));try{for(let{key:a,value:c}of i)n.put(c,a)}catch{n.transaction.abort()}},[r]}),
Sl=e=>sn("readwrite",t=>[t.delete(e)]),
us=e=>sn("readwrite",(t,n)=>[e?n.put(!0,0):n.delete(0)]).catch(()=>{});
async function fr({form:e,fingerprint:t}){let[n,r,o]=await sn("readonly",(a,c)=>[a.getAllKeys(),a.getAll(),c.get(0)]),s=n.map((a,c)=>({id:a,body:r[c]})),i=s.filter(({id:a,body:c})=>Ol(a,c,e,t));return{all:s,fit:i,begun:o}}
function Ol(e,t,{questions:n,size:r},o){try{let{answers:s,form:i,id:a}=JSON.parse(t),c=n.map(({name:l})=>s[l]),d=U({answers:s,form:i,id:a}).padEnd(r)===t&&t.length===r,u=a===e&&i===o&&Object.keys(s).length===n.length;return d&&u&&ct(n,{id:e,values:c})}catch{return!1}}
async function Al(e,t){let{form:n}=e,{fit:r}=await fr(e),o={arrived:0,refused:{},stopped:!1};await us(!0);for(let{id:s,body:i}of r){let{id:a,code:c=""}=await Ut(z(n,location.href),i,s);if(a)await Sl(s),t(o.arrived+=1);else if(wl.includes(c)){o.stopped=!0;break}else o.refused[c]=(o.refused[c]??0)+1}return await us(!1),o}
var At=Object.assign(new EventTarget,{readiness:e=>e.tabletUnready,isLasting:!0});
function an(e){Object.assign(At,e),At.dispatchEvent(new Event("change"))}
var El=Nl(()=>{Tl(),Ll()});
function Nl(e){let t=!1;return()=>{t||e(),t=!0}}
async function Tl(){try{let e={createScriptURL:()=>"worker.js"},t=globalThis.trustedTypes?.createPolicy("tablet",e).createScriptURL("")??"worker.js",n=await navigator.serviceWorker.register(t);await navigator.serviceWorker.ready,an({readiness:s=>s.tabletReady});let{installing:r,waiting:o}=await n.update();(r??o)&&an({readiness:s=>s.tabletChanged})}catch{}}
async function Ll(){try{an({isLasting:await navigator.storage.persist()})}catch{an({isLasting:!1})}}
function cn(){let e=h("","hint");return e.setAttribute("role","status"),e}
function fs(){let e=p("div",{});e.setAttribute("role","status");let t={outcome:e},n;return{render(r){return n=new AbortController,Il(r,t,n)},dispose:()=>n.abort()}}
function Il(e,t,n){let{form:r,fingerprint:o,speech:s}=e,{words:i}=s,a={hand:w(i.tabletHand,()=>e.turnTo(jl),"main"),send:w(i.tabletSend,()=>ms(e,t)),file:w(i.tabletSave,()=>Rl(e,t))};for(let c of Object.values(a))c.hidden=!0;return Object.assign(t,a,{number:p("h2",{},i.wait),unfit:cn(),few:cn()}),pr(t,e.state.isSending),$l(e,t,n),ps(e,t,i.tabletStopped),[O(i.tabletHead),h(s.text(r.title)),t.number,t.outcome,t.unfit,t.few,S(a.send,a.file,a.hand),...Cl(i,n),ft(o,s)]}
function Cl(e,t){let[n,r]=[cn(),cn()],o=()=>{n.textContent=At.readiness(e),r.textContent=At.isLasting?"":e.tabletRoom};return At.addEventListener("change",o,t),El(),o(),[n,r]}
var pr=({hand:e,file:t},n)=>[e,t].forEach(r=>r.disabled=n);
async function ps(e,t,n){let{words:r}=e.speech;try{let{all:o,fit:s,begun:i}=await fr(e),{hand:a,send:c,file:d,number:u,unfit:l,few:f,outcome:m}=t,g=o.length-s.length;u.textContent=r.tabletWaiting(s.length),l.textContent=g>0?r.tabletUnfit(g):"",f.textContent=s.length>0&&s.length<ds?r.tabletFew:"",i&&n&&!e.state.isSending&&m.replaceChildren(h(n)),a.hidden=!1,c.hidden=s.length===0,d.hidden=o.length===0,e.dispatch({type:"update",change:{waiting:s.length}})}catch{t.number.textContent=r.tabletNever}}
function $l(e,t,n){window.addEventListener("online",()=>(e.state.waiting??0)>=ds&&ms(e,t),n)}
async function ms(e,t){if(e.state.isSending)return;let{words:n}=e.speech,r=(...o)=>t.outcome.replaceChildren(...o.map(s=>h(s)));e.dispatch({type:"send"}),pr(t,!0),r(n.sending);try{let o=()=>Al(e,d=>r(n.tabletSent(d))),{arrived:s,refused:i,stopped:a}=await navigator.locks.request(ls(),o),c=Object.entries(i).map(([d,u])=>n.tabletRefused(d,u));r(n.tabletSent(s),...a?[n.tabletStopped]:[],...c)}catch{r(n.tabletStopped)}e.dispatch({type:"update",change:{isSending:!1}}),pr(t,!1),await ps(e,t)}
async function Rl(e,{outcome:t}){let{all:n}=await fr(e);Kn("reports.askance",n.map(({body:r})=>r).join(`
`)),t.replaceChildren(h(e.speech.words.tabletSaved))}
function vl({state:{aside:e,ending:t}}){N("bar").querySelector(".leave").hidden=t!==void 0||e!==void 0}
var hs=e=>e.turnTo(fs()),
jl={back:hs,render:e=>[O(e.speech.words.tabletGive),h(e.speech.words.tabletGiveHint),S(w(e.speech.words.back,()=>hs(e)),w(e.speech.words.tabletMine,()=>e.turnTo(void 0),"main"))]};
function gs(e,t,n,...r){return[O(t),h(n),...r,S(w(e.speech.words.tabletBack,()=>Hl(e),"main"))]}
var Bl={render:e=>gs(e,e.speech.words.tabletLeft,e.speech.words.tabletLeftHint)},
mr=({form:e,fingerprint:t})=>he(e,t,()=>{});
function Hl(e){let{form:t,fingerprint:n}=e;e.dispose(),rn(t,n,mr(e))}
function Pl(e){e.forget(),e.draft=mr(e),e.turnTo(Bl)}
var Fl=e=>(t,n)=>{e(t,n);let{words:r}=n.speech;Object.assign(r,{nothingYet:r.tabletNothing,leaveHint:r.tabletLeave,cardTold:r.tabletTold,cardWrong:r.tabletWrong,unreachable:r.tabletUnkept,frozen:r.tabletFrozen}),t.querySelector(".leave")?.replaceWith(w(r.leave,()=>n.state.isSending||Pl(n),"leave"))};
function Dl(e){e.draft=mr(e),e.dispatch({type:"update",change:{aside:fs(),ending:void 0}}),e.post=async(t,n,r)=>{try{await xl(r,n)}catch{return{code:"unreachable"}}return{id:r,digest:await V(n)}}}
function Ml(e,t){let{words:n}=t.speech,{receipt:r}=t.state;if(!r)return e;let s=[[n.receiptId,r.id],[n.receiptDigest,r.digest]].map(([a,c])=>p("div",{},p("dt",{},a),p("dd",{className:"code",translate:!1},c))),i=F(n.receipt,p("dl",{className:"receipt"},...s),h(n.withdraw));return gs(t,n.tabletDone,n.tabletDoneHint,i)}
y({name:"tablet",shapes:bl,validate:yl,wrap:{openVisit:e=>t=>{Dl(t),e(t)},renderHeader:Fl,updateHeader:e=>t=>{e(t),vl(t)},renderEnding:e=>(t,n,r)=>e(Ml(t,r),n,r)}});
