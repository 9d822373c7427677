var $s=10,
mu=["unreachable","blocked","busy","disk-full","read-only","disk-error"],
hu={tablet:!0};
function gu({later:e,quotas:t,tokens:n,open:r,ending:o}){let s=[e,t,n,r,o?.url,o?.within];w(s.every(i=>i===void 0),"tablet")}
var Cs=()=>`askance-tablet:${new URL(".",location.href).pathname}`,
wu=e=>new Promise((t,n)=>{e.onsuccess=()=>t(e.result),e.onerror=()=>n(e.error)});
async function hn(e,t){let n=indexedDB.open(Cs(),1);n.onupgradeneeded=()=>["reports","sending"].forEach(o=>n.result.createObjectStore(o));let r=await wu(n);try{let o=r.transaction(["reports","sending"],e,{durability:"strict"}),s=new Promise((a,c)=>{o.oncomplete=a,o.onabort=()=>c(o.error)}),i=t(o.objectStore("reports"),o.objectStore("sending"));return await s,i.map(({result:a})=>a)}finally{r.close()}}
var bu=(e,t)=>hn("readwrite",n=>{let[r,o]=[n.getAllKeys(),n.getAll()];return o.onsuccess=()=>{let i=[...r.result.map((a,c)=>({key:a,value:o.result[c]})).filter(({key:a})=>a!==e),{key:e,value:t}].sort((a,c)=>indexedDB.cmp(a.key,c.key));try{for(let{key:a,value:c}of i)n.put(c,a)}catch{n.transaction.abort()}},[r]}),
yu=e=>hn("readwrite",t=>[t.delete(e)]),
Rs=e=>hn("readwrite",(t,n)=>[e?n.put(!0,0):n.delete(0)]).catch(()=>{});
async function Ar({form:e,fingerprint:t}){let[n,r,o]=await hn("readonly",(a,c)=>[a.getAllKeys(),a.getAll(),c.get(0)]),s=n.map((a,c)=>({id:a,body:r[c]})),i=s.filter(({id:a,body:c})=>ku(a,c,e,t));return{all:s,fit:i,begun:o}}
function ku(e,t,{questions:n,size:r},o){try{let{answers:s,form:i,id:a}=JSON.parse(t),c=n.map(({name:l})=>s[l]),d=U({answers:s,form:i,id:a}).padEnd(r)===t&&t.length===r,u=a===e&&i===o&&Object.keys(s).length===n.length;return d&&u&&pt(n,{id:e,values:c})}catch{return!1}}
async function xu(e,t){let{form:n}=e,{fit:r}=await Ar(e),o={arrived:0,refused:{},stopped:!1};await Rs(!0);for(let{id:s,body:i}of r){let{id:a,code:c=""}=await Gt(Q(n,location.href),i,s);if(a)await yu(s),t(o.arrived+=1);else if(mu.includes(c)){o.stopped=!0;break}else o.refused[c]=(o.refused[c]??0)+1}return await Rs(!1),o}
var It=Object.assign(new EventTarget,{readiness:e=>e.tabletUnready,isLasting:!0});
function gn(e){Object.assign(It,e),It.dispatchEvent(new Event("change"))}
var Su=Ou(()=>{Au(),Eu()});
function Ou(e){let t=!1;return()=>{t||e(),t=!0}}
async function Au(){try{let e={createScriptURL:()=>"worker.js"},t=globalThis.trustedTypes?.createPolicy("tablet",e).createScriptURL("")??"worker.js",n=await navigator.serviceWorker.register(t);await navigator.serviceWorker.ready,gn({readiness:s=>s.tabletReady});let{installing:r,waiting:o}=await n.update();(r??o)&&gn({readiness:s=>s.tabletChanged})}catch{}}
async function Eu(){try{gn({isLasting:await navigator.storage.persist()})}catch{gn({isLasting:!1})}}
function wn(){let e=h("","hint");return e.setAttribute("role","status"),e}
function js(){let e=p("div",{});e.setAttribute("role","status");let t={outcome:e},n;return{render(r){return n=new AbortController,Tu(r,t,n)},dispose:()=>n.abort()}}
function Tu(e,t,n){let{form:r,fingerprint:o,speech:s}=e,{words:i}=s,a={hand:y(i.tabletHand,()=>e.turnTo(Cu),"main"),send:y(i.tabletSend,()=>Bs(e,t)),file:y(i.tabletSave,()=>Iu(e,t))};for(let c of Object.values(a))c.hidden=!0;return Object.assign(t,a,{number:p("h2",{},i.wait),unfit:wn(),few:wn()}),Er(t,e.state.isSending),Lu(e,t,n),vs(e,t,i.tabletStopped),[T(i.tabletHead),h(s.text(r.title)),t.number,t.outcome,t.unfit,t.few,A(a.send,a.file,a.hand),...Nu(i,n),gt(o,s)]}
function Nu(e,t){let[n,r]=[wn(),wn()],o=()=>{n.textContent=It.readiness(e),r.textContent=It.isLasting?"":e.tabletRoom};return It.addEventListener("change",o,t),Su(),o(),[n,r]}
var Er=({hand:e,file:t},n)=>[e,t].forEach(r=>r.disabled=n);
async function vs(e,t,n){let{words:r}=e.speech;try{let{all:o,fit:s,begun:i}=await Ar(e),{hand:a,send:c,file:d,number:u,unfit:l,few:f,outcome:m}=t,g=o.length-s.length;u.textContent=r.tabletWaiting(s.length),l.textContent=g>0?r.tabletUnfit(g):"",f.textContent=s.length>0&&s.length<$s?r.tabletFew:"",i&&n&&!e.state.isSending&&m.replaceChildren(h(n)),a.hidden=!1,c.hidden=s.length===0,d.hidden=o.length===0,e.dispatch({type:"update",change:{waiting:s.length}})}catch{t.number.textContent=r.tabletNever}}
function Lu(e,t,n){window.addEventListener("online",()=>(e.state.waiting??0)>=$s&&Bs(e,t),n)}
async function Bs(e,t){if(e.state.isSending)return;let{words:n}=e.speech,r=(...o)=>t.outcome.replaceChildren(...o.map(s=>h(s)));e.dispatch({type:"send"}),Er(t,!0),r(n.sending);try{let o=()=>xu(e,d=>r(n.tabletSent(d))),{arrived:s,refused:i,stopped:a}=await navigator.locks.request(Cs(),o),c=Object.entries(i).map(([d,u])=>n.tabletRefused(d,u));r(n.tabletSent(s),...a?[n.tabletStopped]:[],...c)}catch{r(n.tabletStopped)}e.dispatch({type:"update",change:{isSending:!1}}),Er(t,!1),await vs(e,t)}
async function Iu(e,{outcome:t}){let{all:n}=await Ar(e);Yn("reports.askance",n.map(({body:r})=>r).join(`
`)),t.replaceChildren(h(e.speech.words.tabletSaved))}
function $u({state:{aside:e,ending:t}}){I("bar").querySelector(".leave").hidden=t!==void 0||e!==void 0}
var Hs=e=>e.turnTo(js()),
Cu={back:Hs,render:e=>[T(e.speech.words.tabletGive),h(e.speech.words.tabletGiveHint),A(y(e.speech.words.back,()=>Hs(e)),y(e.speech.words.tabletMine,()=>e.turnTo(void 0),"main"))]};
function Ps(e,t,n,...r){return[T(t),h(n),...r,A(y(e.speech.words.tabletBack,()=>ju(e),"main"))]}
var Ru={render:e=>Ps(e,e.speech.words.tabletLeft,e.speech.words.tabletLeftHint)},
Tr=({form:e,fingerprint:t})=>ke(e,t,()=>{});
function ju(e){let{form:t,fingerprint:n}=e;e.dispose(),mn(t,n,Tr(e))}
function vu(e){e.forget(),e.draft=Tr(e),e.turnTo(Ru)}
var Bu=e=>(t,n)=>{e(t,n);let{words:r}=n.speech;Object.assign(r,{nothingYet:r.tabletNothing,leaveHint:r.tabletLeave,cardTold:r.tabletTold,cardWrong:r.tabletWrong,unreachable:r.tabletUnkept,frozen:r.tabletFrozen}),t.querySelector(".leave")?.replaceWith(y(r.leave,()=>n.state.isSending||vu(n),"leave"))};
function Hu(e){e.draft=Tr(e),e.dispatch({type:"update",change:{aside:js(),ending:void 0}}),e.post=async(t,n,r)=>{try{await bu(r,n)}catch{return{code:"unreachable"}}return{id:r,digest:await J(n)}}}
function Pu(e,t){let{words:n}=t.speech,{receipt:r}=t.state;if(!r)return e;let s=[[n.receiptId,r.id],[n.receiptDigest,r.digest]].map(([a,c])=>p("div",{},p("dt",{},a),p("dd",{className:"code",translate:!1},c))),i=B(n.receipt,p("dl",{className:"receipt"},...s),h(n.withdraw));return Ps(t,n.tabletDone,n.tabletDoneHint,i)}
b({name:"tablet",shapes:hu,validate:gu,wrap:{openVisit:e=>t=>{Hu(t),e(t)},renderHeader:Bu,updateHeader:e=>t=>{e(t),$u(t)},renderEnding:e=>(t,n,r)=>e(Pu(t,r),n,r)}});
