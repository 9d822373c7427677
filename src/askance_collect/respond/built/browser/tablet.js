var jo=10,
Wd=["unreachable","blocked","busy","disk-full","read-only","disk-error"];
function _d({tablet:e,later:t,quotas:n,tokens:r,open:o,ending:s}){let i=[t,n,r,o,s?.url,s?.within];p(e===!0&&i.every(a=>a===void 0),"tablet")}
var Bo=()=>`askance-tablet:${new URL(".",location.href).pathname}`,
Kd=e=>new Promise((t,n)=>{e.onsuccess=()=>t(e.result),e.onerror=()=>n(e.error)});
async function Zt(e,t){let n=indexedDB.open(Bo(),1);n.onupgradeneeded=()=>["reports","sending"].forEach(o=>n.result.createObjectStore(o));let r=await Kd(n);try{let o=r.transaction(["reports","sending"],e,{durability:"strict"}),s=new Promise((a,c)=>{o.oncomplete=a,o.onabort=()=>c(o.error)}),i=t(o.objectStore("reports"),o.objectStore("sending"));return await s,i.map(({result:a})=>a)}finally{r.close()}}
var Gd=(e,t)=>Zt("readwrite",n=>{let[r,o]=[n.getAllKeys(),n.getAll()];return o.onsuccess=()=>{let i=[...r.result.map((a,c)=>({key:a,value:o.result[c]})).filter(({key:a})=>a!==e),{key:e,value:t}].sort((a,c)=>indexedDB.cmp(a.key,c.key));try{for(let{key:a,value:c}of i)n.put(c,a)}catch{n.transaction.abort()}},[r]}),
zd=e=>Zt("readwrite",t=>[t.delete(e)]),
Ho=e=>Zt("readwrite",(t,n)=>[e?n.put(!0,0):n.delete(0)]).catch(()=>{});
async function Vn({form:e,fingerprint:t}){let[n,r,o]=await Zt("readonly",(a,c)=>[a.getAllKeys(),a.getAll(),c.get(0)]),s=n.map((a,c)=>({id:a,body:r[c]})),i=s.filter(({id:a,body:c})=>Vd(a,c,e,t));return{all:s,fit:i,begun:o}}
function Vd(e,t,{questions:n,size:r},o){try{let{answers:s,form:i,id:a}=JSON.parse(t),c=n.map(({name:l})=>s[l]),d=F({answers:s,form:i,id:a}).padEnd(r)===t&&t.length===r,u=a===e&&i===o&&Object.keys(s).length===n.length;return d&&u&&tt(n,{id:e,values:c})}catch{return!1}}
async function Qd(e,t){let{form:n}=e,{fit:r}=await Vn(e),o={arrived:0,refused:{},stopped:!1};await Ho(!0);for(let{id:s,body:i}of r){let{id:a,code:c=""}=await vt(V(n,location.href),i,s);if(a)await zd(s),t(o.arrived+=1);else if(Wd.includes(c)){o.stopped=!0;break}else o.refused[c]=(o.refused[c]??0)+1}return await Ho(!1),o}
var bt=Object.assign(new EventTarget,{readiness:e=>e.tabletUnready,isLasting:!0});
function Yt(e){Object.assign(bt,e),bt.dispatchEvent(new Event("change"))}
var Jd=Zd(()=>{Yd(),Xd()});
function Zd(e){let t=!1;return()=>{t||e(),t=!0}}
async function Yd(){try{let e={createScriptURL:()=>"worker.js"},t=globalThis.trustedTypes?.createPolicy("tablet",e).createScriptURL("")??"worker.js",n=await navigator.serviceWorker.register(t);await navigator.serviceWorker.ready,Yt({readiness:s=>s.tabletReady});let{installing:r,waiting:o}=await n.update();(r??o)&&Yt({readiness:s=>s.tabletChanged})}catch{}}
async function Xd(){try{Yt({isLasting:await navigator.storage.persist()})}catch{Yt({isLasting:!1})}}
function Xt(){let e=h("","hint");return e.setAttribute("role","status"),e}
function Po(){let e=m("div",{});e.setAttribute("role","status");let t={outcome:e},n;return{render(r){return n=new AbortController,qd(r,t,n)},dispose:()=>n.abort()}}
function qd(e,t,n){let{form:r,fingerprint:o,speech:s}=e,{words:i}=s,a={hand:b(i.tabletHand,()=>e.turnTo(ol),"main"),send:b(i.tabletSend,()=>Do(e,t)),file:b(i.tabletSave,()=>nl(e,t))};for(let c of Object.values(a))c.hidden=!0;return Object.assign(t,a,{number:m("h2",{},i.wait),unfit:Xt(),few:Xt()}),Qn(t,e.state.isSending),tl(e,t,n),Mo(e,t,i.tabletStopped),[E(i.tabletHead),h(s.text(r.title)),t.number,t.outcome,t.unfit,t.few,O(a.send,a.file,a.hand),...el(i,n),st(o,s)]}
function el(e,t){let[n,r]=[Xt(),Xt()],o=()=>{n.textContent=bt.readiness(e),r.textContent=bt.isLasting?"":e.tabletRoom};return bt.addEventListener("change",o,t),Jd(),o(),[n,r]}
var Qn=({hand:e,file:t},n)=>[e,t].forEach(r=>r.disabled=n);
async function Mo(e,t,n){let{words:r}=e.speech;try{let{all:o,fit:s,begun:i}=await Vn(e),{hand:a,send:c,file:d,number:u,unfit:l,few:f,outcome:g}=t,w=o.length-s.length;u.textContent=r.tabletWaiting(s.length),l.textContent=w>0?r.tabletUnfit(w):"",f.textContent=s.length>0&&s.length<jo?r.tabletFew:"",i&&n&&!e.state.isSending&&g.replaceChildren(h(n)),a.hidden=!1,c.hidden=s.length===0,d.hidden=o.length===0,e.dispatch({type:"update",change:{waiting:s.length}})}catch{t.number.textContent=r.tabletNever}}
function tl(e,t,n){window.addEventListener("online",()=>(e.state.waiting??0)>=jo&&Do(e,t),n)}
async function Do(e,t){if(e.state.isSending)return;let{words:n}=e.speech,r=(...o)=>t.outcome.replaceChildren(...o.map(s=>h(s)));e.dispatch({type:"send"}),Qn(t,!0),r(n.sending);try{let o=()=>Qd(e,d=>r(n.tabletSent(d))),{arrived:s,refused:i,stopped:a}=await navigator.locks.request(Bo(),o),c=Object.entries(i).map(([d,u])=>n.tabletRefused(d,u));r(n.tabletSent(s),...a?[n.tabletStopped]:[],...c)}catch{r(n.tabletStopped)}e.dispatch({type:"update",change:{isSending:!1}}),Qn(t,!1),await Mo(e,t)}
async function nl(e,{outcome:t}){let{all:n}=await Vn(e);En("reports.askance",n.map(({body:r})=>r).join(`
`)),t.replaceChildren(h(e.speech.words.tabletSaved))}
function rl({state:{aside:e,ending:t}}){L("bar").querySelector(".leave").hidden=t!==void 0||e!==void 0}
var Uo=e=>e.turnTo(Po()),
ol={back:Uo,render:e=>[E(e.speech.words.tabletGive),h(e.speech.words.tabletGiveHint),O(b(e.speech.words.back,()=>Uo(e)),b(e.speech.words.tabletMine,()=>e.turnTo(void 0),"main"))]};
function Fo(e,t,n,...r){return[E(t),h(n),...r,O(b(e.speech.words.tabletBack,()=>il(e),"main"))]}
var sl={render:e=>Fo(e,e.speech.words.tabletLeft,e.speech.words.tabletLeftHint)},
Jn=({form:e,fingerprint:t})=>le(e,t,()=>{});
function il(e){let{form:t,fingerprint:n}=e;e.dispose(),e.dispatch=()=>{},Qt(t,n,Jn(e))}
function al(e){e.forget(),e.draft=Jn(e),e.turnTo(sl)}
var cl=e=>(t,n)=>{e(t,n);let{words:r}=n.speech;Object.assign(r,{nothingYet:r.tabletNothing,leaveHint:r.tabletLeave,cardTold:r.tabletTold,cardWrong:r.tabletWrong,unreachable:r.tabletUnkept,frozen:r.tabletFrozen}),t.querySelector(".leave")?.replaceWith(b(r.leave,()=>n.state.isSending||al(n),"leave"))};
function dl(e){e.draft=Jn(e),e.dispatch({type:"update",change:{aside:Po(),ending:void 0}}),e.post=async(t,n,r)=>{try{await Gd(r,n)}catch{return{code:"unreachable"}}return{id:r,digest:await Q(n)}}}
function ll(e,t){let{words:n}=t.speech,{receipt:r}=t.state;if(!r)return e;let s=[[n.receiptId,r.id],[n.receiptDigest,r.digest]].map(([a,c])=>m("div",{},m("dt",{},a),m("dd",{className:"code",translate:!1},c))),i=U(n.receipt,m("dl",{className:"receipt"},...s),h(n.withdraw));return Fo(t,n.tabletDone,n.tabletDoneHint,i)}
k({name:"tablet",detect:({tablet:e})=>e!==void 0,validate:_d,wrap:{openVisit:e=>t=>{dl(t),e(t)},renderHeader:cl,updateHeader:e=>t=>{e(t),rl(t)},renderEnding:e=>(t,n,r)=>e(ll(t,r),n,r)}});
var Vo=10,
Qd=["unreachable","blocked","busy","disk-full","read-only","disk-error"],
Jd={tablet:!0};
function Zd({later:e,quotas:t,tokens:n,open:r,ending:o}){let s=[e,t,n,r,o?.url,o?.within];b(s.every(i=>i===void 0),"tablet")}
var Qo=()=>`askance-tablet:${new URL(".",location.href).pathname}`,
Xd=e=>new Promise((t,n)=>{e.onsuccess=()=>t(e.result),e.onerror=()=>n(e.error)});
async function on(e,t){let n=indexedDB.open(Qo(),1);n.onupgradeneeded=()=>["reports","sending"].forEach(o=>n.result.createObjectStore(o));let r=await Xd(n);try{let o=r.transaction(["reports","sending"],e,{durability:"strict"}),s=new Promise((a,c)=>{o.oncomplete=a,o.onabort=()=>c(o.error)}),i=t(o.objectStore("reports"),o.objectStore("sending"));return await s,i.map(({result:a})=>a)}finally{r.close()}}
var Yd=(e,t)=>on("readwrite",n=>{let[r,o]=[n.getAllKeys(),n.getAll()];return o.onsuccess=()=>{let i=[...r.result.map((a,c)=>({key:a,value:o.result[c]})).filter(({key:a})=>a!==e),{key:e,value:t}].sort((a,c)=>indexedDB.cmp(a.key,c.key));try{for(let{key:a,value:c}of i)n.put(c,a)}catch{n.transaction.abort()}},[r]}),
qd=e=>on("readwrite",t=>[t.delete(e)]),
Jo=e=>on("readwrite",(t,n)=>[e?n.put(!0,0):n.delete(0)]).catch(()=>{});
async function ar({form:e,fingerprint:t}){let[n,r,o]=await on("readonly",(a,c)=>[a.getAllKeys(),a.getAll(),c.get(0)]),s=n.map((a,c)=>({id:a,body:r[c]})),i=s.filter(({id:a,body:c})=>el(a,c,e,t));return{all:s,fit:i,begun:o}}
function el(e,t,{questions:n,size:r},o){try{let{answers:s,form:i,id:a}=JSON.parse(t),c=n.map(({name:l})=>s[l]),d=M({answers:s,form:i,id:a}).padEnd(r)===t&&t.length===r,u=a===e&&i===o&&Object.keys(s).length===n.length;return d&&u&&at(n,{id:e,values:c})}catch{return!1}}
async function tl(e,t){let{form:n}=e,{fit:r}=await ar(e),o={arrived:0,refused:{},stopped:!1};await Jo(!0);for(let{id:s,body:i}of r){let{id:a,code:c=""}=await Ft(G(n,location.href),i,s);if(a)await qd(s),t(o.arrived+=1);else if(Qd.includes(c)){o.stopped=!0;break}else o.refused[c]=(o.refused[c]??0)+1}return await Jo(!1),o}
var At=Object.assign(new EventTarget,{readiness:e=>e.tabletUnready,isLasting:!0});
function sn(e){Object.assign(At,e),At.dispatchEvent(new Event("change"))}
var nl=rl(()=>{ol(),sl()});
function rl(e){let t=!1;return()=>{t||e(),t=!0}}
async function ol(){try{let e={createScriptURL:()=>"worker.js"},t=globalThis.trustedTypes?.createPolicy("tablet",e).createScriptURL("")??"worker.js",n=await navigator.serviceWorker.register(t);await navigator.serviceWorker.ready,sn({readiness:s=>s.tabletReady});let{installing:r,waiting:o}=await n.update();(r??o)&&sn({readiness:s=>s.tabletChanged})}catch{}}
async function sl(){try{sn({isLasting:await navigator.storage.persist()})}catch{sn({isLasting:!1})}}
function an(){let e=m("","hint");return e.setAttribute("role","status"),e}
function Zo(){let e=p("div",{});e.setAttribute("role","status");let t={outcome:e},n;return{render(r){return n=new AbortController,il(r,t,n)},dispose:()=>n.abort()}}
function il(e,t,n){let{form:r,fingerprint:o,speech:s}=e,{words:i}=s,a={hand:w(i.tabletHand,()=>e.turnTo(ul),"main"),send:w(i.tabletSend,()=>Yo(e,t)),file:w(i.tabletSave,()=>dl(e,t))};for(let c of Object.values(a))c.hidden=!0;return Object.assign(t,a,{number:p("h2",{},i.wait),unfit:an(),few:an()}),cr(t,e.state.isSending),cl(e,t,n),Xo(e,t,i.tabletStopped),[O(i.tabletHead),m(s.text(r.title)),t.number,t.outcome,t.unfit,t.few,x(a.send,a.file,a.hand),...al(i,n),ut(o,s)]}
function al(e,t){let[n,r]=[an(),an()],o=()=>{n.textContent=At.readiness(e),r.textContent=At.isLasting?"":e.tabletRoom};return At.addEventListener("change",o,t),nl(),o(),[n,r]}
var cr=({hand:e,file:t},n)=>[e,t].forEach(r=>r.disabled=n);
async function Xo(e,t,n){let{words:r}=e.speech;try{let{all:o,fit:s,begun:i}=await ar(e),{hand:a,send:c,file:d,number:u,unfit:l,few:f,outcome:h}=t,g=o.length-s.length;u.textContent=r.tabletWaiting(s.length),l.textContent=g>0?r.tabletUnfit(g):"",f.textContent=s.length>0&&s.length<Vo?r.tabletFew:"",i&&n&&!e.state.isSending&&h.replaceChildren(m(n)),a.hidden=!1,c.hidden=s.length===0,d.hidden=o.length===0,e.dispatch({type:"update",change:{waiting:s.length}})}catch{t.number.textContent=r.tabletNever}}
function cl(e,t,n){window.addEventListener("online",()=>(e.state.waiting??0)>=Vo&&Yo(e,t),n)}
async function Yo(e,t){if(e.state.isSending)return;let{words:n}=e.speech,r=(...o)=>t.outcome.replaceChildren(...o.map(s=>m(s)));e.dispatch({type:"send"}),cr(t,!0),r(n.sending);try{let o=()=>tl(e,d=>r(n.tabletSent(d))),{arrived:s,refused:i,stopped:a}=await navigator.locks.request(Qo(),o),c=Object.entries(i).map(([d,u])=>n.tabletRefused(d,u));r(n.tabletSent(s),...a?[n.tabletStopped]:[],...c)}catch{r(n.tabletStopped)}e.dispatch({type:"update",change:{isSending:!1}}),cr(t,!1),await Xo(e,t)}
async function dl(e,{outcome:t}){let{all:n}=await ar(e);Fn("reports.askance",n.map(({body:r})=>r).join(`
`)),t.replaceChildren(m(e.speech.words.tabletSaved))}
function ll({state:{aside:e,ending:t}}){N("bar").querySelector(".leave").hidden=t!==void 0||e!==void 0}
var qo=e=>e.turnTo(Zo()),
ul={back:qo,render:e=>[O(e.speech.words.tabletGive),m(e.speech.words.tabletGiveHint),x(w(e.speech.words.back,()=>qo(e)),w(e.speech.words.tabletMine,()=>e.turnTo(void 0),"main"))]};
function es(e,t,n,...r){return[O(t),m(n),...r,x(w(e.speech.words.tabletBack,()=>pl(e),"main"))]}
var fl={render:e=>es(e,e.speech.words.tabletLeft,e.speech.words.tabletLeftHint)},
dr=({form:e,fingerprint:t})=>ue(e,t,()=>{});
function pl(e){let{form:t,fingerprint:n}=e;e.dispose(),e.dispatch=()=>{},nn(t,n,dr(e))}
function ml(e){e.forget(),e.draft=dr(e),e.turnTo(fl)}
var hl=e=>(t,n)=>{e(t,n);let{words:r}=n.speech;Object.assign(r,{nothingYet:r.tabletNothing,leaveHint:r.tabletLeave,cardTold:r.tabletTold,cardWrong:r.tabletWrong,unreachable:r.tabletUnkept,frozen:r.tabletFrozen}),t.querySelector(".leave")?.replaceWith(w(r.leave,()=>n.state.isSending||ml(n),"leave"))};
function gl(e){e.draft=dr(e),e.dispatch({type:"update",change:{aside:Zo(),ending:void 0}}),e.post=async(t,n,r)=>{try{await Yd(r,n)}catch{return{code:"unreachable"}}return{id:r,digest:await z(n)}}}
function wl(e,t){let{words:n}=t.speech,{receipt:r}=t.state;if(!r)return e;let s=[[n.receiptId,r.id],[n.receiptDigest,r.digest]].map(([a,c])=>p("div",{},p("dt",{},a),p("dd",{className:"code",translate:!1},c))),i=D(n.receipt,p("dl",{className:"receipt"},...s),m(n.withdraw));return es(t,n.tabletDone,n.tabletDoneHint,i)}
y({name:"tablet",shapes:Jd,validate:Zd,wrap:{openVisit:e=>t=>{gl(t),e(t)},renderHeader:hl,updateHeader:e=>t=>{e(t),ll(t)},renderEnding:e=>(t,n,r)=>e(wl(t,r),n,r)}});
