var Io=10,
Rd=["unreachable","blocked","busy","disk-full","read-only","disk-error"];
function jd({tablet:e,later:t,quotas:n,tokens:r,open:o,ending:s}){let i=[t,n,r,o,s?.url,s?.within];p(e===!0&&i.every(a=>a===void 0),"tablet")}
var No=()=>`askance-tablet:${new URL(".",location.href).pathname}`,
Bd=e=>new Promise((t,n)=>{e.onsuccess=()=>t(e.result),e.onerror=()=>n(e.error)});
async function Jt(e,t){let n=indexedDB.open(No(),1);n.onupgradeneeded=()=>["reports","sending"].forEach(o=>n.result.createObjectStore(o));let r=await Bd(n);try{let o=r.transaction(["reports","sending"],e,{durability:"strict"}),s=new Promise((a,c)=>{o.oncomplete=a,o.onabort=()=>c(o.error)}),i=t(o.objectStore("reports"),o.objectStore("sending"));return await s,i.map(({result:a})=>a)}finally{r.close()}}
var Hd=(e,t)=>Jt("readwrite",n=>{let[r,o]=[n.getAllKeys(),n.getAll()];return o.onsuccess=()=>{let i=[...r.result.map((a,c)=>({key:a,value:o.result[c]})).filter(({key:a})=>a!==e),{key:e,value:t}].sort((a,c)=>indexedDB.cmp(a.key,c.key));try{for(let{key:a,value:c}of i)n.put(c,a)}catch{n.transaction.abort()}},[r]}),
Pd=e=>Jt("readwrite",t=>[t.delete(e)]),
Co=e=>Jt("readwrite",(t,n)=>[e?n.put(!0,0):n.delete(0)]).catch(()=>{});
async function Gn({form:e,fingerprint:t}){let[n,r,o]=await Jt("readonly",(a,c)=>[a.getAllKeys(),a.getAll(),c.get(0)]),s=n.map((a,c)=>({id:a,body:r[c]})),i=s.filter(({id:a,body:c})=>Md(a,c,e,t));return{all:s,fit:i,begun:o}}
function Md(e,t,{questions:n,size:r},o){try{let{answers:s,form:i,id:a}=JSON.parse(t),c=n.map(({name:l})=>s[l]),d=F({answers:s,form:i,id:a}).padEnd(r)===t&&t.length===r,u=a===e&&i===o&&Object.keys(s).length===n.length;return d&&u&&tt(n,{id:e,values:c})}catch{return!1}}
async function Dd(e,t){let{form:n}=e,{fit:r}=await Gn(e),o={arrived:0,refused:{},stopped:!1};await Co(!0);for(let{id:s,body:i}of r){let{id:a,code:c=""}=await Ct(z(n,location.href),i,s);if(a)await Pd(s),t(o.arrived+=1);else if(Rd.includes(c)){o.stopped=!0;break}else o.refused[c]=(o.refused[c]??0)+1}return await Co(!1),o}
var wt=Object.assign(new EventTarget,{readiness:e=>e.tabletUnready,isLasting:!0});
function Zt(e){Object.assign(wt,e),wt.dispatchEvent(new Event("change"))}
var Ud=Fd(()=>{Wd(),_d()});
function Fd(e){let t=!1;return()=>{t||e(),t=!0}}
async function Wd(){try{let e={createScriptURL:()=>"worker.js"},t=globalThis.trustedTypes?.createPolicy("tablet",e).createScriptURL("")??"worker.js",n=await navigator.serviceWorker.register(t);await navigator.serviceWorker.ready,Zt({readiness:s=>s.tabletReady});let{installing:r,waiting:o}=await n.update();(r??o)&&Zt({readiness:s=>s.tabletChanged})}catch{}}
async function _d(){try{Zt({isLasting:await navigator.storage.persist()})}catch{Zt({isLasting:!1})}}
function Yt(){let e=h("","hint");return e.setAttribute("role","status"),e}
function vo(){let e=m("div",{});e.setAttribute("role","status");let t={outcome:e},n;return{render(r){return n=new AbortController,Kd(r,t,n)},dispose:()=>n.abort()}}
function Kd(e,t,n){let{form:r,fingerprint:o,speech:s}=e,{words:i}=s,a={hand:b(i.tabletHand,()=>e.turnTo(Jd),"main"),send:b(i.tabletSend,()=>jo(e,t)),file:b(i.tabletSave,()=>Vd(e,t))};for(let c of Object.values(a))c.hidden=!0;return Object.assign(t,a,{number:m("h2",{},i.wait),unfit:Yt(),few:Yt()}),zn(t,e.state.isSending),zd(e,t,n),Ro(e,t,i.tabletStopped),[A(i.tabletHead),h(s.text(r.title)),t.number,t.outcome,t.unfit,t.few,S(a.send,a.file,a.hand),...Gd(i,n),st(o,s)]}
function Gd(e,t){let[n,r]=[Yt(),Yt()],o=()=>{n.textContent=wt.readiness(e),r.textContent=wt.isLasting?"":e.tabletRoom};return wt.addEventListener("change",o,t),Ud(),o(),[n,r]}
var zn=({hand:e,file:t},n)=>[e,t].forEach(r=>r.disabled=n);
async function Ro(e,t,n){let{words:r}=e.speech;try{let{all:o,fit:s,begun:i}=await Gn(e),{hand:a,send:c,file:d,number:u,unfit:l,few:f,outcome:g}=t,w=o.length-s.length;u.textContent=r.tabletWaiting(s.length),l.textContent=w>0?r.tabletUnfit(w):"",f.textContent=s.length>0&&s.length<Io?r.tabletFew:"",i&&n&&!e.state.isSending&&g.replaceChildren(h(n)),a.hidden=!1,c.hidden=s.length===0,d.hidden=o.length===0,e.dispatch({type:"update",change:{waiting:s.length}})}catch{t.number.textContent=r.tabletNever}}
function zd(e,t,n){window.addEventListener("online",()=>(e.state.waiting??0)>=Io&&jo(e,t),n)}
async function jo(e,t){if(e.state.isSending)return;let{words:n}=e.speech,r=(...o)=>t.outcome.replaceChildren(...o.map(s=>h(s)));e.dispatch({type:"send"}),zn(t,!0),r(n.sending);try{let o=()=>Dd(e,d=>r(n.tabletSent(d))),{arrived:s,refused:i,stopped:a}=await navigator.locks.request(No(),o),c=Object.entries(i).map(([d,u])=>n.tabletRefused(d,u));r(n.tabletSent(s),...a?[n.tabletStopped]:[],...c)}catch{r(n.tabletStopped)}e.dispatch({type:"update",change:{isSending:!1}}),zn(t,!1),await Ro(e,t)}
async function Vd(e,{outcome:t}){let{all:n}=await Gn(e);An("reports.askance",n.map(({body:r})=>r).join(`
`)),t.replaceChildren(h(e.speech.words.tabletSaved))}
function Qd({state:{aside:e,ending:t}}){L("bar").querySelector(".leave").hidden=t!==void 0||e!==void 0}
var Bo=e=>e.turnTo(vo()),
Jd={back:Bo,render:e=>[A(e.speech.words.tabletGive),h(e.speech.words.tabletGiveHint),S(b(e.speech.words.back,()=>Bo(e)),b(e.speech.words.tabletMine,()=>e.turnTo(void 0),"main"))]};
function Ho(e,t,n,...r){return[A(t),h(n),...r,S(b(e.speech.words.tabletBack,()=>Yd(e),"main"))]}
var Zd={render:e=>Ho(e,e.speech.words.tabletLeft,e.speech.words.tabletLeftHint)},
Vn=({form:e,fingerprint:t})=>ce(e,t,()=>{});
function Yd(e){let{form:t,fingerprint:n}=e;e.dispose(),e.dispatch=()=>{},Vt(t,n,Vn(e))}
function Xd(e){e.forget(),e.draft=Vn(e),e.turnTo(Zd)}
var qd=e=>(t,n)=>{e(t,n);let{words:r}=n.speech;Object.assign(r,{nothingYet:r.tabletNothing,leaveHint:r.tabletLeave,cardTold:r.tabletTold,cardWrong:r.tabletWrong,unreachable:r.tabletUnkept,frozen:r.tabletFrozen}),t.querySelector(".leave")?.replaceWith(b(r.leave,()=>n.state.isSending||Xd(n),"leave"))};
function el(e){e.draft=Vn(e),e.dispatch({type:"update",change:{aside:vo(),ending:void 0}}),e.post=async(t,n,r)=>{try{await Hd(r,n)}catch{return{code:"unreachable"}}return{id:r,digest:await V(n)}}}
function tl(e,t){let{words:n}=t.speech,{receipt:r}=t.state;if(!r)return e;let s=[[n.receiptId,r.id],[n.receiptDigest,r.digest]].map(([a,c])=>m("div",{},m("dt",{},a),m("dd",{className:"code",translate:!1},c))),i=U(n.receipt,m("dl",{className:"receipt"},...s),h(n.withdraw));return Ho(t,n.tabletDone,n.tabletDoneHint,i)}
k({name:"tablet",detect:({tablet:e})=>e!==void 0,validate:jd,wrap:{openVisit:e=>t=>{el(t),e(t)},renderHeader:qd,updateHeader:e=>t=>{e(t),Qd(t)},renderEnding:e=>(t,n,r)=>e(tl(t,r),n,r)}});
