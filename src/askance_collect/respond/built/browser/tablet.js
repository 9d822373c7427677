var ms=10,
Hl=["unreachable","blocked","busy","disk-full","read-only","disk-error"],
Pl={tablet:!0};
function Fl({later:e,quotas:t,tokens:n,open:r,ending:o}){let s=[e,t,n,r,o?.url,o?.within];w(s.every(i=>i===void 0),"tablet")}
var hs=()=>`askance-tablet:${new URL(".",location.href).pathname}`,
Dl=e=>new Promise((t,n)=>{e.onsuccess=()=>t(e.result),e.onerror=()=>n(e.error)});
async function un(e,t){let n=indexedDB.open(hs(),1);n.onupgradeneeded=()=>["reports","sending"].forEach(o=>n.result.createObjectStore(o));let r=await Dl(n);try{let o=r.transaction(["reports","sending"],e,{durability:"strict"}),s=new Promise((a,c)=>{o.oncomplete=a,o.onabort=()=>c(o.error)}),i=t(o.objectStore("reports"),o.objectStore("sending"));return await s,i.map(({result:a})=>a)}finally{r.close()}}
var Ml=(e,t)=>un("readwrite",n=>{let[r,o]=[n.getAllKeys(),n.getAll()];return o.onsuccess=()=>{let i=[...r.result.map((a,c)=>({key:a,value:o.result[c]})).filter(({key:a})=>a!==e),{key:e,value:t}].sort((a,c)=>indexedDB.cmp(a.key,c.key));try{for(let{key:a,value:c}of i)n.put(c,a)}catch{n.transaction.abort()}},[r]}),
Ul=e=>un("readwrite",t=>[t.delete(e)]),
gs=e=>un("readwrite",(t,n)=>[e?n.put(!0,0):n.delete(0)]).catch(()=>{});
async function wr({form:e,fingerprint:t}){let[n,r,o]=await un("readonly",(a,c)=>[a.getAllKeys(),a.getAll(),c.get(0)]),s=n.map((a,c)=>({id:a,body:r[c]})),i=s.filter(({id:a,body:c})=>Wl(a,c,e,t));return{all:s,fit:i,begun:o}}
function Wl(e,t,{questions:n,size:r},o){try{let{answers:s,form:i,id:a}=JSON.parse(t),c=n.map(({name:l})=>s[l]),d=U({answers:s,form:i,id:a}).padEnd(r)===t&&t.length===r,u=a===e&&i===o&&Object.keys(s).length===n.length;return d&&u&&lt(n,{id:e,values:c})}catch{return!1}}
async function Kl(e,t){let{form:n}=e,{fit:r}=await wr(e),o={arrived:0,refused:{},stopped:!1};await gs(!0);for(let{id:s,body:i}of r){let{id:a,code:c=""}=await _t(Q(n,location.href),i,s);if(a)await Ul(s),t(o.arrived+=1);else if(Hl.includes(c)){o.stopped=!0;break}else o.refused[c]=(o.refused[c]??0)+1}return await gs(!1),o}
var Tt=Object.assign(new EventTarget,{readiness:e=>e.tabletUnready,isLasting:!0});
function fn(e){Object.assign(Tt,e),Tt.dispatchEvent(new Event("change"))}
var _l=Gl(()=>{zl(),Vl()});
function Gl(e){let t=!1;return()=>{t||e(),t=!0}}
async function zl(){try{let e={createScriptURL:()=>"worker.js"},t=globalThis.trustedTypes?.createPolicy("tablet",e).createScriptURL("")??"worker.js",n=await navigator.serviceWorker.register(t);await navigator.serviceWorker.ready,fn({readiness:s=>s.tabletReady});let{installing:r,waiting:o}=await n.update();(r??o)&&fn({readiness:s=>s.tabletChanged})}catch{}}
async function Vl(){try{fn({isLasting:await navigator.storage.persist()})}catch{fn({isLasting:!1})}}
function pn(){let e=h("","hint");return e.setAttribute("role","status"),e}
function ws(){let e=p("div",{});e.setAttribute("role","status");let t={outcome:e},n;return{render(r){return n=new AbortController,Ql(r,t,n)},dispose:()=>n.abort()}}
function Ql(e,t,n){let{form:r,fingerprint:o,speech:s}=e,{words:i}=s,a={hand:y(i.tabletHand,()=>e.turnTo(ql),"main"),send:y(i.tabletSend,()=>ys(e,t)),file:y(i.tabletSave,()=>Xl(e,t))};for(let c of Object.values(a))c.hidden=!0;return Object.assign(t,a,{number:p("h2",{},i.wait),unfit:pn(),few:pn()}),br(t,e.state.isSending),Zl(e,t,n),bs(e,t,i.tabletStopped),[E(i.tabletHead),h(s.text(r.title)),t.number,t.outcome,t.unfit,t.few,S(a.send,a.file,a.hand),...Jl(i,n),mt(o,s)]}
function Jl(e,t){let[n,r]=[pn(),pn()],o=()=>{n.textContent=Tt.readiness(e),r.textContent=Tt.isLasting?"":e.tabletRoom};return Tt.addEventListener("change",o,t),_l(),o(),[n,r]}
var br=({hand:e,file:t},n)=>[e,t].forEach(r=>r.disabled=n);
async function bs(e,t,n){let{words:r}=e.speech;try{let{all:o,fit:s,begun:i}=await wr(e),{hand:a,send:c,file:d,number:u,unfit:l,few:f,outcome:m}=t,g=o.length-s.length;u.textContent=r.tabletWaiting(s.length),l.textContent=g>0?r.tabletUnfit(g):"",f.textContent=s.length>0&&s.length<ms?r.tabletFew:"",i&&n&&!e.state.isSending&&m.replaceChildren(h(n)),a.hidden=!1,c.hidden=s.length===0,d.hidden=o.length===0,e.dispatch({type:"update",change:{waiting:s.length}})}catch{t.number.textContent=r.tabletNever}}
function Zl(e,t,n){window.addEventListener("online",()=>(e.state.waiting??0)>=ms&&ys(e,t),n)}
async function ys(e,t){if(e.state.isSending)return;let{words:n}=e.speech,r=(...o)=>t.outcome.replaceChildren(...o.map(s=>h(s)));e.dispatch({type:"send"}),br(t,!0),r(n.sending);try{let o=()=>Kl(e,d=>r(n.tabletSent(d))),{arrived:s,refused:i,stopped:a}=await navigator.locks.request(hs(),o),c=Object.entries(i).map(([d,u])=>n.tabletRefused(d,u));r(n.tabletSent(s),...a?[n.tabletStopped]:[],...c)}catch{r(n.tabletStopped)}e.dispatch({type:"update",change:{isSending:!1}}),br(t,!1),await bs(e,t)}
async function Xl(e,{outcome:t}){let{all:n}=await wr(e);Jn("reports.askance",n.map(({body:r})=>r).join(`
`)),t.replaceChildren(h(e.speech.words.tabletSaved))}
function Yl({state:{aside:e,ending:t}}){L("bar").querySelector(".leave").hidden=t!==void 0||e!==void 0}
var ks=e=>e.turnTo(ws()),
ql={back:ks,render:e=>[E(e.speech.words.tabletGive),h(e.speech.words.tabletGiveHint),S(y(e.speech.words.back,()=>ks(e)),y(e.speech.words.tabletMine,()=>e.turnTo(void 0),"main"))]};
function xs(e,t,n,...r){return[E(t),h(n),...r,S(y(e.speech.words.tabletBack,()=>tu(e),"main"))]}
var eu={render:e=>xs(e,e.speech.words.tabletLeft,e.speech.words.tabletLeftHint)},
yr=({form:e,fingerprint:t})=>we(e,t,()=>{});
function tu(e){let{form:t,fingerprint:n}=e;e.dispose(),dn(t,n,yr(e))}
function nu(e){e.forget(),e.draft=yr(e),e.turnTo(eu)}
var ru=e=>(t,n)=>{e(t,n);let{words:r}=n.speech;Object.assign(r,{nothingYet:r.tabletNothing,leaveHint:r.tabletLeave,cardTold:r.tabletTold,cardWrong:r.tabletWrong,unreachable:r.tabletUnkept,frozen:r.tabletFrozen}),t.querySelector(".leave")?.replaceWith(y(r.leave,()=>n.state.isSending||nu(n),"leave"))};
function ou(e){e.draft=yr(e),e.dispatch({type:"update",change:{aside:ws(),ending:void 0}}),e.post=async(t,n,r)=>{try{await Ml(r,n)}catch{return{code:"unreachable"}}return{id:r,digest:await J(n)}}}
function su(e,t){let{words:n}=t.speech,{receipt:r}=t.state;if(!r)return e;let s=[[n.receiptId,r.id],[n.receiptDigest,r.digest]].map(([a,c])=>p("div",{},p("dt",{},a),p("dd",{className:"code",translate:!1},c))),i=v(n.receipt,p("dl",{className:"receipt"},...s),h(n.withdraw));return xs(t,n.tabletDone,n.tabletDoneHint,i)}
b({name:"tablet",shapes:Pl,validate:Fl,wrap:{openVisit:e=>t=>{ou(t),e(t)},renderHeader:ru,updateHeader:e=>t=>{e(t),Yl(t)},renderEnding:e=>(t,n,r)=>e(su(t,r),n,r)}});
