var Es=10,
ql=["unreachable","blocked","busy","disk-full","read-only","disk-error"],
eu={tablet:!0};
function tu({later:e,quotas:t,tokens:n,open:r,ending:o}){let s=[e,t,n,r,o?.url,o?.within];w(s.every(i=>i===void 0),"tablet")}
var Ns=()=>`askance-tablet:${new URL(".",location.href).pathname}`,
nu=e=>new Promise((t,n)=>{e.onsuccess=()=>t(e.result),e.onerror=()=>n(e.error)});
async function pn(e,t){let n=indexedDB.open(Ns(),1);n.onupgradeneeded=()=>["reports","sending"].forEach(o=>n.result.createObjectStore(o));let r=await nu(n);try{let o=r.transaction(["reports","sending"],e,{durability:"strict"}),s=new Promise((a,c)=>{o.oncomplete=a,o.onabort=()=>c(o.error)}),i=t(o.objectStore("reports"),o.objectStore("sending"));return await s,i.map(({result:a})=>a)}finally{r.close()}}
var ru=(e,t)=>pn("readwrite",n=>{let[r,o]=[n.getAllKeys(),n.getAll()];return o.onsuccess=()=>{let i=[...r.result.map((a,c)=>({key:a,value:o.result[c]})).filter(({key:a})=>a!==e),{key:e,value:t}].sort((a,c)=>indexedDB.cmp(a.key,c.key));try{for(let{key:a,value:c}of i)n.put(c,a)}catch{n.transaction.abort()}},[r]}),
ou=e=>pn("readwrite",t=>[t.delete(e)]),
Ts=e=>pn("readwrite",(t,n)=>[e?n.put(!0,0):n.delete(0)]).catch(()=>{});
async function Ar({form:e,fingerprint:t}){let[n,r,o]=await pn("readonly",(a,c)=>[a.getAllKeys(),a.getAll(),c.get(0)]),s=n.map((a,c)=>({id:a,body:r[c]})),i=s.filter(({id:a,body:c})=>su(a,c,e,t));return{all:s,fit:i,begun:o}}
function su(e,t,{questions:n,size:r},o){try{let{answers:s,form:i,id:a}=JSON.parse(t),c=n.map(({name:l})=>s[l]),d=U({answers:s,form:i,id:a}).padEnd(r)===t&&t.length===r,u=a===e&&i===o&&Object.keys(s).length===n.length;return d&&u&&ut(n,{id:e,values:c})}catch{return!1}}
async function iu(e,t){let{form:n}=e,{fit:r}=await Ar(e),o={arrived:0,refused:{},stopped:!1};await Ts(!0);for(let{id:s,body:i}of r){let{id:a,code:c=""}=await Gt(Q(n,location.href),i,s);if(a)await ou(s),t(o.arrived+=1);else if(ql.includes(c)){o.stopped=!0;break}else o.refused[c]=(o.refused[c]??0)+1}return await Ts(!1),o}
var Lt=Object.assign(new EventTarget,{readiness:e=>e.tabletUnready,isLasting:!0});
function mn(e){Object.assign(Lt,e),Lt.dispatchEvent(new Event("change"))}
var au=cu(()=>{du(),lu()});
function cu(e){let t=!1;return()=>{t||e(),t=!0}}
async function du(){try{let e={createScriptURL:()=>"worker.js"},t=globalThis.trustedTypes?.createPolicy("tablet",e).createScriptURL("")??"worker.js",n=await navigator.serviceWorker.register(t);await navigator.serviceWorker.ready,mn({readiness:s=>s.tabletReady});let{installing:r,waiting:o}=await n.update();(r??o)&&mn({readiness:s=>s.tabletChanged})}catch{}}
async function lu(){try{mn({isLasting:await navigator.storage.persist()})}catch{mn({isLasting:!1})}}
function hn(){let e=h("","hint");return e.setAttribute("role","status"),e}
function Ls(){let e=m("div",{});e.setAttribute("role","status");let t={outcome:e},n;return{render(r){return n=new AbortController,uu(r,t,n)},dispose:()=>n.abort()}}
function uu(e,t,n){let{form:r,fingerprint:o,speech:s}=e,{words:i}=s,a={hand:y(i.tabletHand,()=>e.turnTo(gu),"main"),send:y(i.tabletSend,()=>$s(e,t)),file:y(i.tabletSave,()=>mu(e,t))};for(let c of Object.values(a))c.hidden=!0;return Object.assign(t,a,{number:m("h2",{},i.wait),unfit:hn(),few:hn()}),Er(t,e.state.isSending),pu(e,t,n),Is(e,t,i.tabletStopped),[E(i.tabletHead),h(s.text(r.title)),t.number,t.outcome,t.unfit,t.few,S(a.send,a.file,a.hand),...fu(i,n),ht(o,s)]}
function fu(e,t){let[n,r]=[hn(),hn()],o=()=>{n.textContent=Lt.readiness(e),r.textContent=Lt.isLasting?"":e.tabletRoom};return Lt.addEventListener("change",o,t),au(),o(),[n,r]}
var Er=({hand:e,file:t},n)=>[e,t].forEach(r=>r.disabled=n);
async function Is(e,t,n){let{words:r}=e.speech;try{let{all:o,fit:s,begun:i}=await Ar(e),{hand:a,send:c,file:d,number:u,unfit:l,few:f,outcome:p}=t,g=o.length-s.length;u.textContent=r.tabletWaiting(s.length),l.textContent=g>0?r.tabletUnfit(g):"",f.textContent=s.length>0&&s.length<Es?r.tabletFew:"",i&&n&&!e.state.isSending&&p.replaceChildren(h(n)),a.hidden=!1,c.hidden=s.length===0,d.hidden=o.length===0,e.dispatch({type:"update",change:{waiting:s.length}})}catch{t.number.textContent=r.tabletNever}}
function pu(e,t,n){window.addEventListener("online",()=>(e.state.waiting??0)>=Es&&$s(e,t),n)}
async function $s(e,t){if(e.state.isSending)return;let{words:n}=e.speech,r=(...o)=>t.outcome.replaceChildren(...o.map(s=>h(s)));e.dispatch({type:"send"}),Er(t,!0),r(n.sending);try{let o=()=>iu(e,d=>r(n.tabletSent(d))),{arrived:s,refused:i,stopped:a}=await navigator.locks.request(Ns(),o),c=Object.entries(i).map(([d,u])=>n.tabletRefused(d,u));r(n.tabletSent(s),...a?[n.tabletStopped]:[],...c)}catch{r(n.tabletStopped)}e.dispatch({type:"update",change:{isSending:!1}}),Er(t,!1),await Is(e,t)}
async function mu(e,{outcome:t}){let{all:n}=await Ar(e);Yn("reports.askance",n.map(({body:r})=>r).join(`
`)),t.replaceChildren(h(e.speech.words.tabletSaved))}
function hu({state:{aside:e,ending:t}}){L("bar").querySelector(".leave").hidden=t!==void 0||e!==void 0}
var Cs=e=>e.turnTo(Ls()),
gu={back:Cs,render:e=>[E(e.speech.words.tabletGive),h(e.speech.words.tabletGiveHint),S(y(e.speech.words.back,()=>Cs(e)),y(e.speech.words.tabletMine,()=>e.turnTo(void 0),"main"))]};
function Rs(e,t,n,...r){return[E(t),h(n),...r,S(y(e.speech.words.tabletBack,()=>bu(e),"main"))]}
var wu={render:e=>Rs(e,e.speech.words.tabletLeft,e.speech.words.tabletLeftHint)},
Nr=({form:e,fingerprint:t})=>ye(e,t,()=>{});
function bu(e){let{form:t,fingerprint:n}=e;e.dispose(),un(t,n,Nr(e))}
function yu(e){e.forget(),e.draft=Nr(e),e.turnTo(wu)}
var ku=e=>(t,n)=>{e(t,n);let{words:r}=n.speech;Object.assign(r,{nothingYet:r.tabletNothing,leaveHint:r.tabletLeave,cardTold:r.tabletTold,cardWrong:r.tabletWrong,unreachable:r.tabletUnkept,frozen:r.tabletFrozen}),t.querySelector(".leave")?.replaceWith(y(r.leave,()=>n.state.isSending||yu(n),"leave"))};
function xu(e){e.draft=Nr(e),e.dispatch({type:"update",change:{aside:Ls(),ending:void 0}}),e.post=async(t,n,r)=>{try{await ru(r,n)}catch{return{code:"unreachable"}}return{id:r,digest:await J(n)}}}
function Su(e,t){let{words:n}=t.speech,{receipt:r}=t.state;if(!r)return e;let s=[[n.receiptId,r.id],[n.receiptDigest,r.digest]].map(([a,c])=>m("div",{},m("dt",{},a),m("dd",{className:"code",translate:!1},c))),i=j(n.receipt,m("dl",{className:"receipt"},...s),h(n.withdraw));return Rs(t,n.tabletDone,n.tabletDoneHint,i)}
b({name:"tablet",shapes:eu,validate:tu,wrap:{openVisit:e=>t=>{xu(t),e(t)},renderHeader:ku,updateHeader:e=>t=>{e(t),hu(t)},renderEnding:e=>(t,n,r)=>e(Su(t,r),n,r)}});
