var Is=10,
lu=["unreachable","blocked","busy","disk-full","read-only","disk-error"],
uu={tablet:!0};
function fu({later:e,quotas:t,tokens:n,open:r,ending:o}){let s=[e,t,n,r,o?.url,o?.within];w(s.every(i=>i===void 0),"tablet")}
var $s=()=>`askance-tablet:${new URL(".",location.href).pathname}`,
pu=e=>new Promise((t,n)=>{e.onsuccess=()=>t(e.result),e.onerror=()=>n(e.error)});
async function pn(e,t){let n=indexedDB.open($s(),1);n.onupgradeneeded=()=>["reports","sending"].forEach(o=>n.result.createObjectStore(o));let r=await pu(n);try{let o=r.transaction(["reports","sending"],e,{durability:"strict"}),s=new Promise((a,c)=>{o.oncomplete=a,o.onabort=()=>c(o.error)}),i=t(o.objectStore("reports"),o.objectStore("sending"));return await s,i.map(({result:a})=>a)}finally{r.close()}}
var mu=(e,t)=>pn("readwrite",n=>{let[r,o]=[n.getAllKeys(),n.getAll()];return o.onsuccess=()=>{let i=[...r.result.map((a,c)=>({key:a,value:o.result[c]})).filter(({key:a})=>a!==e),{key:e,value:t}].sort((a,c)=>indexedDB.cmp(a.key,c.key));try{for(let{key:a,value:c}of i)n.put(c,a)}catch{n.transaction.abort()}},[r]}),
hu=e=>pn("readwrite",t=>[t.delete(e)]),
Cs=e=>pn("readwrite",(t,n)=>[e?n.put(!0,0):n.delete(0)]).catch(()=>{});
async function Nr({form:e,fingerprint:t}){let[n,r,o]=await pn("readonly",(a,c)=>[a.getAllKeys(),a.getAll(),c.get(0)]),s=n.map((a,c)=>({id:a,body:r[c]})),i=s.filter(({id:a,body:c})=>gu(a,c,e,t));return{all:s,fit:i,begun:o}}
function gu(e,t,{questions:n,size:r},o){try{let{answers:s,form:i,id:a}=JSON.parse(t),c=n.map(({name:l})=>s[l]),d=U({answers:s,form:i,id:a}).padEnd(r)===t&&t.length===r,u=a===e&&i===o&&Object.keys(s).length===n.length;return d&&u&&pt(n,{id:e,values:c})}catch{return!1}}
async function wu(e,t){let{form:n}=e,{fit:r}=await Nr(e),o={arrived:0,refused:{},stopped:!1};await Cs(!0);for(let{id:s,body:i}of r){let{id:a,code:c=""}=await Gt(Q(n,location.href),i,s);if(a)await hu(s),t(o.arrived+=1);else if(lu.includes(c)){o.stopped=!0;break}else o.refused[c]=(o.refused[c]??0)+1}return await Cs(!1),o}
var It=Object.assign(new EventTarget,{readiness:e=>e.tabletUnready,isLasting:!0});
function mn(e){Object.assign(It,e),It.dispatchEvent(new Event("change"))}
var bu=yu(()=>{ku(),xu()});
function yu(e){let t=!1;return()=>{t||e(),t=!0}}
async function ku(){try{let e={createScriptURL:()=>"worker.js"},t=globalThis.trustedTypes?.createPolicy("tablet",e).createScriptURL("")??"worker.js",n=await navigator.serviceWorker.register(t);await navigator.serviceWorker.ready,mn({readiness:s=>s.tabletReady});let{installing:r,waiting:o}=await n.update();(r??o)&&mn({readiness:s=>s.tabletChanged})}catch{}}
async function xu(){try{mn({isLasting:await navigator.storage.persist()})}catch{mn({isLasting:!1})}}
function hn(){let e=h("","hint");return e.setAttribute("role","status"),e}
function Rs(){let e=p("div",{});e.setAttribute("role","status");let t={outcome:e},n;return{render(r){return n=new AbortController,Su(r,t,n)},dispose:()=>n.abort()}}
function Su(e,t,n){let{form:r,fingerprint:o,speech:s}=e,{words:i}=s,a={hand:y(i.tabletHand,()=>e.turnTo(Tu),"main"),send:y(i.tabletSend,()=>vs(e,t)),file:y(i.tabletSave,()=>Eu(e,t))};for(let c of Object.values(a))c.hidden=!0;return Object.assign(t,a,{number:p("h2",{},i.wait),unfit:hn(),few:hn()}),Tr(t,e.state.isSending),Au(e,t,n),js(e,t,i.tabletStopped),[N(i.tabletHead),h(s.text(r.title)),t.number,t.outcome,t.unfit,t.few,S(a.send,a.file,a.hand),...Ou(i,n),gt(o,s)]}
function Ou(e,t){let[n,r]=[hn(),hn()],o=()=>{n.textContent=It.readiness(e),r.textContent=It.isLasting?"":e.tabletRoom};return It.addEventListener("change",o,t),bu(),o(),[n,r]}
var Tr=({hand:e,file:t},n)=>[e,t].forEach(r=>r.disabled=n);
async function js(e,t,n){let{words:r}=e.speech;try{let{all:o,fit:s,begun:i}=await Nr(e),{hand:a,send:c,file:d,number:u,unfit:l,few:f,outcome:m}=t,g=o.length-s.length;u.textContent=r.tabletWaiting(s.length),l.textContent=g>0?r.tabletUnfit(g):"",f.textContent=s.length>0&&s.length<Is?r.tabletFew:"",i&&n&&!e.state.isSending&&m.replaceChildren(h(n)),a.hidden=!1,c.hidden=s.length===0,d.hidden=o.length===0,e.dispatch({type:"update",change:{waiting:s.length}})}catch{t.number.textContent=r.tabletNever}}
function Au(e,t,n){window.addEventListener("online",()=>(e.state.waiting??0)>=Is&&vs(e,t),n)}
async function vs(e,t){if(e.state.isSending)return;let{words:n}=e.speech,r=(...o)=>t.outcome.replaceChildren(...o.map(s=>h(s)));e.dispatch({type:"send"}),Tr(t,!0),r(n.sending);try{let o=()=>wu(e,d=>r(n.tabletSent(d))),{arrived:s,refused:i,stopped:a}=await navigator.locks.request($s(),o),c=Object.entries(i).map(([d,u])=>n.tabletRefused(d,u));r(n.tabletSent(s),...a?[n.tabletStopped]:[],...c)}catch{r(n.tabletStopped)}e.dispatch({type:"update",change:{isSending:!1}}),Tr(t,!1),await js(e,t)}
async function Eu(e,{outcome:t}){let{all:n}=await Nr(e);qn("reports.askance",n.map(({body:r})=>r).join(`
`)),t.replaceChildren(h(e.speech.words.tabletSaved))}
function Nu({state:{aside:e,ending:t}}){I("bar").querySelector(".leave").hidden=t!==void 0||e!==void 0}
var Bs=e=>e.turnTo(Rs()),
Tu={back:Bs,render:e=>[N(e.speech.words.tabletGive),h(e.speech.words.tabletGiveHint),S(y(e.speech.words.back,()=>Bs(e)),y(e.speech.words.tabletMine,()=>e.turnTo(void 0),"main"))]};
function Hs(e,t,n,...r){return[N(t),h(n),...r,S(y(e.speech.words.tabletBack,()=>Iu(e),"main"))]}
var Lu={render:e=>Hs(e,e.speech.words.tabletLeft,e.speech.words.tabletLeftHint)},
Lr=({form:e,fingerprint:t})=>ke(e,t,()=>{});
function Iu(e){let{form:t,fingerprint:n}=e;e.dispose(),fn(t,n,Lr(e))}
function $u(e){e.forget(),e.draft=Lr(e),e.turnTo(Lu)}
var Cu=e=>(t,n)=>{e(t,n);let{words:r}=n.speech;Object.assign(r,{nothingYet:r.tabletNothing,leaveHint:r.tabletLeave,cardTold:r.tabletTold,cardWrong:r.tabletWrong,unreachable:r.tabletUnkept,frozen:r.tabletFrozen}),t.querySelector(".leave")?.replaceWith(y(r.leave,()=>n.state.isSending||$u(n),"leave"))};
function Ru(e){e.draft=Lr(e),e.dispatch({type:"update",change:{aside:Rs(),ending:void 0}}),e.post=async(t,n,r)=>{try{await mu(r,n)}catch{return{code:"unreachable"}}return{id:r,digest:await J(n)}}}
function ju(e,t){let{words:n}=t.speech,{receipt:r}=t.state;if(!r)return e;let s=[[n.receiptId,r.id],[n.receiptDigest,r.digest]].map(([a,c])=>p("div",{},p("dt",{},a),p("dd",{className:"code",translate:!1},c))),i=v(n.receipt,p("dl",{className:"receipt"},...s),h(n.withdraw));return Hs(t,n.tabletDone,n.tabletDoneHint,i)}
b({name:"tablet",shapes:uu,validate:fu,wrap:{openVisit:e=>t=>{Ru(t),e(t)},renderHeader:Cu,updateHeader:e=>t=>{e(t),Nu(t)},renderEnding:e=>(t,n,r)=>e(ju(t,r),n,r)}});
