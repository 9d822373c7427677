var fs=10,
xl=["unreachable","blocked","busy","disk-full","read-only","disk-error"],
Sl={tablet:!0};
function Ol({later:e,quotas:t,tokens:n,open:r,ending:o}){let s=[e,t,n,r,o?.url,o?.within];w(s.every(i=>i===void 0),"tablet")}
var ps=()=>`askance-tablet:${new URL(".",location.href).pathname}`,
Al=e=>new Promise((t,n)=>{e.onsuccess=()=>t(e.result),e.onerror=()=>n(e.error)});
async function cn(e,t){let n=indexedDB.open(ps(),1);n.onupgradeneeded=()=>["reports","sending"].forEach(o=>n.result.createObjectStore(o));let r=await Al(n);try{let o=r.transaction(["reports","sending"],e,{durability:"strict"}),s=new Promise((a,c)=>{o.oncomplete=a,o.onabort=()=>c(o.error)}),i=t(o.objectStore("reports"),o.objectStore("sending"));return await s,i.map(({result:a})=>a)}finally{r.close()}}
var El=(e,t)=>cn("readwrite",n=>{let[r,o]=[n.getAllKeys(),n.getAll()];return o.onsuccess=()=>{let i=[...r.result.map((a,c)=>({key:a,value:o.result[c]})).filter(({key:a})=>a!==e),{key:e,value:t}].sort((a,c)=>indexedDB.cmp(a.key,c.key));try{for(let{key:a,value:c}of i)n.put(c,a)}catch{n.transaction.abort()}},[r]}),
Nl=e=>cn("readwrite",t=>[t.delete(e)]),
ms=e=>cn("readwrite",(t,n)=>[e?n.put(!0,0):n.delete(0)]).catch(()=>{});
async function mr({form:e,fingerprint:t}){let[n,r,o]=await cn("readonly",(a,c)=>[a.getAllKeys(),a.getAll(),c.get(0)]),s=n.map((a,c)=>({id:a,body:r[c]})),i=s.filter(({id:a,body:c})=>Tl(a,c,e,t));return{all:s,fit:i,begun:o}}
function Tl(e,t,{questions:n,size:r},o){try{let{answers:s,form:i,id:a}=JSON.parse(t),c=n.map(({name:l})=>s[l]),d=U({answers:s,form:i,id:a}).padEnd(r)===t&&t.length===r,u=a===e&&i===o&&Object.keys(s).length===n.length;return d&&u&&dt(n,{id:e,values:c})}catch{return!1}}
async function Ll(e,t){let{form:n}=e,{fit:r}=await mr(e),o={arrived:0,refused:{},stopped:!1};await ms(!0);for(let{id:s,body:i}of r){let{id:a,code:c=""}=await Kt(z(n,location.href),i,s);if(a)await Nl(s),t(o.arrived+=1);else if(xl.includes(c)){o.stopped=!0;break}else o.refused[c]=(o.refused[c]??0)+1}return await ms(!1),o}
var Nt=Object.assign(new EventTarget,{readiness:e=>e.tabletUnready,isLasting:!0});
function dn(e){Object.assign(Nt,e),Nt.dispatchEvent(new Event("change"))}
var Il=Cl(()=>{$l(),Rl()});
function Cl(e){let t=!1;return()=>{t||e(),t=!0}}
async function $l(){try{let e={createScriptURL:()=>"worker.js"},t=globalThis.trustedTypes?.createPolicy("tablet",e).createScriptURL("")??"worker.js",n=await navigator.serviceWorker.register(t);await navigator.serviceWorker.ready,dn({readiness:s=>s.tabletReady});let{installing:r,waiting:o}=await n.update();(r??o)&&dn({readiness:s=>s.tabletChanged})}catch{}}
async function Rl(){try{dn({isLasting:await navigator.storage.persist()})}catch{dn({isLasting:!1})}}
function ln(){let e=h("","hint");return e.setAttribute("role","status"),e}
function hs(){let e=p("div",{});e.setAttribute("role","status");let t={outcome:e},n;return{render(r){return n=new AbortController,vl(r,t,n)},dispose:()=>n.abort()}}
function vl(e,t,n){let{form:r,fingerprint:o,speech:s}=e,{words:i}=s,a={hand:b(i.tabletHand,()=>e.turnTo(Fl),"main"),send:b(i.tabletSend,()=>ws(e,t)),file:b(i.tabletSave,()=>Hl(e,t))};for(let c of Object.values(a))c.hidden=!0;return Object.assign(t,a,{number:p("h2",{},i.wait),unfit:ln(),few:ln()}),hr(t,e.state.isSending),Bl(e,t,n),gs(e,t,i.tabletStopped),[A(i.tabletHead),h(s.text(r.title)),t.number,t.outcome,t.unfit,t.few,S(a.send,a.file,a.hand),...jl(i,n),pt(o,s)]}
function jl(e,t){let[n,r]=[ln(),ln()],o=()=>{n.textContent=Nt.readiness(e),r.textContent=Nt.isLasting?"":e.tabletRoom};return Nt.addEventListener("change",o,t),Il(),o(),[n,r]}
var hr=({hand:e,file:t},n)=>[e,t].forEach(r=>r.disabled=n);
async function gs(e,t,n){let{words:r}=e.speech;try{let{all:o,fit:s,begun:i}=await mr(e),{hand:a,send:c,file:d,number:u,unfit:l,few:f,outcome:m}=t,g=o.length-s.length;u.textContent=r.tabletWaiting(s.length),l.textContent=g>0?r.tabletUnfit(g):"",f.textContent=s.length>0&&s.length<fs?r.tabletFew:"",i&&n&&!e.state.isSending&&m.replaceChildren(h(n)),a.hidden=!1,c.hidden=s.length===0,d.hidden=o.length===0,e.dispatch({type:"update",change:{waiting:s.length}})}catch{t.number.textContent=r.tabletNever}}
function Bl(e,t,n){window.addEventListener("online",()=>(e.state.waiting??0)>=fs&&ws(e,t),n)}
async function ws(e,t){if(e.state.isSending)return;let{words:n}=e.speech,r=(...o)=>t.outcome.replaceChildren(...o.map(s=>h(s)));e.dispatch({type:"send"}),hr(t,!0),r(n.sending);try{let o=()=>Ll(e,d=>r(n.tabletSent(d))),{arrived:s,refused:i,stopped:a}=await navigator.locks.request(ps(),o),c=Object.entries(i).map(([d,u])=>n.tabletRefused(d,u));r(n.tabletSent(s),...a?[n.tabletStopped]:[],...c)}catch{r(n.tabletStopped)}e.dispatch({type:"update",change:{isSending:!1}}),hr(t,!1),await gs(e,t)}
async function Hl(e,{outcome:t}){let{all:n}=await mr(e);Gn("reports.askance",n.map(({body:r})=>r).join(`
`)),t.replaceChildren(h(e.speech.words.tabletSaved))}
function Pl({state:{aside:e,ending:t}}){N("bar").querySelector(".leave").hidden=t!==void 0||e!==void 0}
var bs=e=>e.turnTo(hs()),
Fl={back:bs,render:e=>[A(e.speech.words.tabletGive),h(e.speech.words.tabletGiveHint),S(b(e.speech.words.back,()=>bs(e)),b(e.speech.words.tabletMine,()=>e.turnTo(void 0),"main"))]};
function ys(e,t,n,...r){return[A(t),h(n),...r,S(b(e.speech.words.tabletBack,()=>Ml(e),"main"))]}
var Dl={render:e=>ys(e,e.speech.words.tabletLeft,e.speech.words.tabletLeftHint)},
gr=({form:e,fingerprint:t})=>he(e,t,()=>{});
function Ml(e){let{form:t,fingerprint:n}=e;e.dispose(),sn(t,n,gr(e))}
function Ul(e){e.forget(),e.draft=gr(e),e.turnTo(Dl)}
var Wl=e=>(t,n)=>{e(t,n);let{words:r}=n.speech;Object.assign(r,{nothingYet:r.tabletNothing,leaveHint:r.tabletLeave,cardTold:r.tabletTold,cardWrong:r.tabletWrong,unreachable:r.tabletUnkept,frozen:r.tabletFrozen}),t.querySelector(".leave")?.replaceWith(b(r.leave,()=>n.state.isSending||Ul(n),"leave"))};
function Kl(e){e.draft=gr(e),e.dispatch({type:"update",change:{aside:hs(),ending:void 0}}),e.post=async(t,n,r)=>{try{await El(r,n)}catch{return{code:"unreachable"}}return{id:r,digest:await V(n)}}}
function _l(e,t){let{words:n}=t.speech,{receipt:r}=t.state;if(!r)return e;let s=[[n.receiptId,r.id],[n.receiptDigest,r.digest]].map(([a,c])=>p("div",{},p("dt",{},a),p("dd",{className:"code",translate:!1},c))),i=v(n.receipt,p("dl",{className:"receipt"},...s),h(n.withdraw));return ys(t,n.tabletDone,n.tabletDoneHint,i)}
k({name:"tablet",shapes:Sl,validate:Ol,wrap:{openVisit:e=>t=>{Kl(t),e(t)},renderHeader:Wl,updateHeader:e=>t=>{e(t),Pl(t)},renderEnding:e=>(t,n,r)=>e(_l(t,r),n,r)}});
var ds=10,
yl=["unreachable","blocked","busy","disk-full","read-only","disk-error"],
kl={tablet:!0};
function xl({later:e,quotas:t,tokens:n,open:r,ending:o}){let s=[e,t,n,r,o?.url,o?.within];b(s.every(i=>i===void 0),"tablet")}
var ls=()=>`askance-tablet:${new URL(".",location.href).pathname}`,
Sl=e=>new Promise((t,n)=>{e.onsuccess=()=>t(e.result),e.onerror=()=>n(e.error)});
async function sn(e,t){let n=indexedDB.open(ls(),1);n.onupgradeneeded=()=>["reports","sending"].forEach(o=>n.result.createObjectStore(o));let r=await Sl(n);try{let o=r.transaction(["reports","sending"],e,{durability:"strict"}),s=new Promise((a,c)=>{o.oncomplete=a,o.onabort=()=>c(o.error)}),i=t(o.objectStore("reports"),o.objectStore("sending"));return await s,i.map(({result:a})=>a)}finally{r.close()}}
var Ol=(e,t)=>sn("readwrite",n=>{let[r,o]=[n.getAllKeys(),n.getAll()];return o.onsuccess=()=>{let i=[...r.result.map((a,c)=>({key:a,value:o.result[c]})).filter(({key:a})=>a!==e),{key:e,value:t}].sort((a,c)=>indexedDB.cmp(a.key,c.key));try{for(let{key:a,value:c}of i)n.put(c,a)}catch{n.transaction.abort()}},[r]}),
Al=e=>sn("readwrite",t=>[t.delete(e)]),
us=e=>sn("readwrite",(t,n)=>[e?n.put(!0,0):n.delete(0)]).catch(()=>{});
async function pr({form:e,fingerprint:t}){let[n,r,o]=await sn("readonly",(a,c)=>[a.getAllKeys(),a.getAll(),c.get(0)]),s=n.map((a,c)=>({id:a,body:r[c]})),i=s.filter(({id:a,body:c})=>El(a,c,e,t));return{all:s,fit:i,begun:o}}
function El(e,t,{questions:n,size:r},o){try{let{answers:s,form:i,id:a}=JSON.parse(t),c=n.map(({name:l})=>s[l]),d=M({answers:s,form:i,id:a}).padEnd(r)===t&&t.length===r,u=a===e&&i===o&&Object.keys(s).length===n.length;return d&&u&&ct(n,{id:e,values:c})}catch{return!1}}
async function Nl(e,t){let{form:n}=e,{fit:r}=await pr(e),o={arrived:0,refused:{},stopped:!1};await us(!0);for(let{id:s,body:i}of r){let{id:a,code:c=""}=await Mt(z(n,location.href),i,s);if(a)await Al(s),t(o.arrived+=1);else if(yl.includes(c)){o.stopped=!0;break}else o.refused[c]=(o.refused[c]??0)+1}return await us(!1),o}
var At=Object.assign(new EventTarget,{readiness:e=>e.tabletUnready,isLasting:!0});
function an(e){Object.assign(At,e),At.dispatchEvent(new Event("change"))}
var Tl=Ll(()=>{Il(),Cl()});
function Ll(e){let t=!1;return()=>{t||e(),t=!0}}
async function Il(){try{let e={createScriptURL:()=>"worker.js"},t=globalThis.trustedTypes?.createPolicy("tablet",e).createScriptURL("")??"worker.js",n=await navigator.serviceWorker.register(t);await navigator.serviceWorker.ready,an({readiness:s=>s.tabletReady});let{installing:r,waiting:o}=await n.update();(r??o)&&an({readiness:s=>s.tabletChanged})}catch{}}
async function Cl(){try{an({isLasting:await navigator.storage.persist()})}catch{an({isLasting:!1})}}
function cn(){let e=h("","hint");return e.setAttribute("role","status"),e}
function fs(){let e=m("div",{});e.setAttribute("role","status");let t={outcome:e},n;return{render(r){return n=new AbortController,$l(r,t,n)},dispose:()=>n.abort()}}
function $l(e,t,n){let{form:r,fingerprint:o,speech:s}=e,{words:i}=s,a={hand:w(i.tabletHand,()=>e.turnTo(Hl),"main"),send:w(i.tabletSend,()=>ms(e,t)),file:w(i.tabletSave,()=>jl(e,t))};for(let c of Object.values(a))c.hidden=!0;return Object.assign(t,a,{number:m("h2",{},i.wait),unfit:cn(),few:cn()}),mr(t,e.state.isSending),vl(e,t,n),ps(e,t,i.tabletStopped),[O(i.tabletHead),h(s.text(r.title)),t.number,t.outcome,t.unfit,t.few,S(a.send,a.file,a.hand),...Rl(i,n),ft(o,s)]}
function Rl(e,t){let[n,r]=[cn(),cn()],o=()=>{n.textContent=At.readiness(e),r.textContent=At.isLasting?"":e.tabletRoom};return At.addEventListener("change",o,t),Tl(),o(),[n,r]}
var mr=({hand:e,file:t},n)=>[e,t].forEach(r=>r.disabled=n);
async function ps(e,t,n){let{words:r}=e.speech;try{let{all:o,fit:s,begun:i}=await pr(e),{hand:a,send:c,file:d,number:u,unfit:l,few:f,outcome:p}=t,g=o.length-s.length;u.textContent=r.tabletWaiting(s.length),l.textContent=g>0?r.tabletUnfit(g):"",f.textContent=s.length>0&&s.length<ds?r.tabletFew:"",i&&n&&!e.state.isSending&&p.replaceChildren(h(n)),a.hidden=!1,c.hidden=s.length===0,d.hidden=o.length===0,e.dispatch({type:"update",change:{waiting:s.length}})}catch{t.number.textContent=r.tabletNever}}
function vl(e,t,n){window.addEventListener("online",()=>(e.state.waiting??0)>=ds&&ms(e,t),n)}
async function ms(e,t){if(e.state.isSending)return;let{words:n}=e.speech,r=(...o)=>t.outcome.replaceChildren(...o.map(s=>h(s)));e.dispatch({type:"send"}),mr(t,!0),r(n.sending);try{let o=()=>Nl(e,d=>r(n.tabletSent(d))),{arrived:s,refused:i,stopped:a}=await navigator.locks.request(ls(),o),c=Object.entries(i).map(([d,u])=>n.tabletRefused(d,u));r(n.tabletSent(s),...a?[n.tabletStopped]:[],...c)}catch{r(n.tabletStopped)}e.dispatch({type:"update",change:{isSending:!1}}),mr(t,!1),await ps(e,t)}
async function jl(e,{outcome:t}){let{all:n}=await pr(e);_n("reports.askance",n.map(({body:r})=>r).join(`
`)),t.replaceChildren(h(e.speech.words.tabletSaved))}
function Bl({state:{aside:e,ending:t}}){T("bar").querySelector(".leave").hidden=t!==void 0||e!==void 0}
var hs=e=>e.turnTo(fs()),
Hl={back:hs,render:e=>[O(e.speech.words.tabletGive),h(e.speech.words.tabletGiveHint),S(w(e.speech.words.back,()=>hs(e)),w(e.speech.words.tabletMine,()=>e.turnTo(void 0),"main"))]};
function gs(e,t,n,...r){return[O(t),h(n),...r,S(w(e.speech.words.tabletBack,()=>Fl(e),"main"))]}
var Pl={render:e=>gs(e,e.speech.words.tabletLeft,e.speech.words.tabletLeftHint)},
hr=({form:e,fingerprint:t})=>ge(e,t,()=>{});
function Fl(e){let{form:t,fingerprint:n}=e;e.dispose(),rn(t,n,hr(e))}
function Dl(e){e.forget(),e.draft=hr(e),e.turnTo(Pl)}
var Ul=e=>(t,n)=>{e(t,n);let{words:r}=n.speech;Object.assign(r,{nothingYet:r.tabletNothing,leaveHint:r.tabletLeave,cardTold:r.tabletTold,cardWrong:r.tabletWrong,unreachable:r.tabletUnkept,frozen:r.tabletFrozen}),t.querySelector(".leave")?.replaceWith(w(r.leave,()=>n.state.isSending||Dl(n),"leave"))};
function Ml(e){e.draft=hr(e),e.dispatch({type:"update",change:{aside:fs(),ending:void 0}}),e.post=async(t,n,r)=>{try{await Ol(r,n)}catch{return{code:"unreachable"}}return{id:r,digest:await V(n)}}}
function Wl(e,t){let{words:n}=t.speech,{receipt:r}=t.state;if(!r)return e;let s=[[n.receiptId,r.id],[n.receiptDigest,r.digest]].map(([a,c])=>m("div",{},m("dt",{},a),m("dd",{className:"code",translate:!1},c))),i=F(n.receipt,m("dl",{className:"receipt"},...s),h(n.withdraw));return gs(t,n.tabletDone,n.tabletDoneHint,i)}
y({name:"tablet",shapes:kl,validate:xl,wrap:{openVisit:e=>t=>{Ml(t),e(t)},renderHeader:Ul,updateHeader:e=>t=>{e(t),Bl(t)},renderEnding:e=>(t,n,r)=>e(Wl(t,r),n,r)}});
