var Eu=3e4,
Nu=/^[\u0590-\u08ff]/,
Tu=globalThis.trustedTypes?.createPolicy("verified",{createHTML:e=>e});
function Lu(e){let t=ju(),n=0,r=async()=>{let o=n+=1;Ts(A(t.verifierWait));let{text:s,screen:i}=await Iu(e,location.hash.slice(1));o===n&&(s===void 0?Ts(...vu[i.why](t,{...e,...i},r)):Ru(s))};return document.getElementById("contact").replaceChildren(p("h2",{},t.verifierTell),...G(e.tell)),window.addEventListener("hashchange",r),r()}
async function Iu({address:e,sha256:t,size:n},r){let o=new URLSearchParams(r),s=(i,a)=>(o.get(i)??a)!==a;if(!globalThis.crypto?.subtle||window.top!==window)return{screen:{why:"here"}};if(s("page",e)||s("sha256",t))return{screen:{why:"link"}};try{let i=await Cu(e,n),a=await $u(i);return a===t?{text:new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}).decode(i)}:{screen:{why:"other",found:i.length>n?`> ${n} B`:a}}}catch{return{screen:{why:"away"}}}}
async function Cu(e,t){let n=await fetch(e,{cache:"no-store",credentials:"omit",redirect:"error",referrerPolicy:"no-referrer",signal:AbortSignal.timeout?.(Eu)}),r=new Uint8Array(t+1),o=n.body.getReader(),s=0;for(;s<=t;){let{done:i,value:a}=await o.read();if(i)return r.subarray(0,s);r.set(a.subarray(0,t+1-s),s),s+=a.length}return o.cancel().catch(()=>{}),r}
async function $u(e){let t=await crypto.subtle.digest("SHA-256",e);return[...new Uint8Array(t)].map(n=>n.toString(16).padStart(2,"0")).join("")}
function Ru(e){document.open(),document.write(Tu?.createHTML(e)??e),document.close()}
var vu={other:(e,{address:t,sha256:n,found:r})=>[A(e.verifierOther),h(e.verifierOtherHint(Or(t))),v(e.verifierNumbers,h(e.verifierPublished,"hint"),Ns(n),h(e.verifierFound,"hint"),Ns(r))],away:(e,{address:t},n)=>[A(e.verifierAway),h(e.verifierAwayHint(Or(t))),S(b(e.tryAgain,n,"main"))],link:(e,{address:t})=>[A(e.verifierLink),h(e.verifierLinkHint(Or(t)))],here:e=>[A(e.verifierHere),h(e.verifierHereHint)]},
Or=e=>`⁦${e}⁩`,
Ns=e=>p("p",{className:"code",translate:!1},e);
function ju(){let e=o=>o.split("-")[0],t=Object.keys(_),n=navigator.languages.map(o=>t.find(s=>e(s)===e(o))).find(Boolean)??"en",r=vt(_[n],n,String,Number);return Object.assign(document.documentElement,{lang:n,dir:Nu.test(r.verifierWait)?"rtl":"ltr"}),r}
function Ts(...e){let t=document.getElementById("main");t.replaceChildren(...e),t.querySelector("h1").focus({preventScroll:!0})}
var verify=Lu;
var Ou=3e4,
Au=/^[\u0590-\u08ff]/,
Eu=globalThis.trustedTypes?.createPolicy("verified",{createHTML:e=>e});
function Nu(e){let t=Ru(),n=0,r=async()=>{let o=n+=1;As(O(t.verifierWait));let{text:s,screen:i}=await Tu(e,location.hash.slice(1));o===n&&(s===void 0?As(...$u[i.why](t,{...e,...i},r)):Cu(s))};return document.getElementById("contact").replaceChildren(m("h2",{},t.verifierTell),...G(e.tell)),window.addEventListener("hashchange",r),r()}
async function Tu({address:e,sha256:t,size:n},r){let o=new URLSearchParams(r),s=(i,a)=>(o.get(i)??a)!==a;if(!globalThis.crypto?.subtle||window.top!==window)return{screen:{why:"here"}};if(s("page",e)||s("sha256",t))return{screen:{why:"link"}};try{let i=await Lu(e,n),a=await Iu(i);return a===t?{text:new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}).decode(i)}:{screen:{why:"other",found:i.length>n?`> ${n} B`:a}}}catch{return{screen:{why:"away"}}}}
async function Lu(e,t){let n=await fetch(e,{cache:"no-store",credentials:"omit",redirect:"error",referrerPolicy:"no-referrer",signal:AbortSignal.timeout?.(Ou)}),r=new Uint8Array(t+1),o=n.body.getReader(),s=0;for(;s<=t;){let{done:i,value:a}=await o.read();if(i)return r.subarray(0,s);r.set(a.subarray(0,t+1-s),s),s+=a.length}return o.cancel().catch(()=>{}),r}
async function Iu(e){let t=await crypto.subtle.digest("SHA-256",e);return[...new Uint8Array(t)].map(n=>n.toString(16).padStart(2,"0")).join("")}
function Cu(e){document.open(),document.write(Eu?.createHTML(e)??e),document.close()}
var $u={other:(e,{address:t,sha256:n,found:r})=>[O(e.verifierOther),h(e.verifierOtherHint(Sr(t))),F(e.verifierNumbers,h(e.verifierPublished,"hint"),Os(n),h(e.verifierFound,"hint"),Os(r))],away:(e,{address:t},n)=>[O(e.verifierAway),h(e.verifierAwayHint(Sr(t))),S(w(e.tryAgain,n,"main"))],link:(e,{address:t})=>[O(e.verifierLink),h(e.verifierLinkHint(Sr(t)))],here:e=>[O(e.verifierHere),h(e.verifierHereHint)]},
Sr=e=>`⁦${e}⁩`,
Os=e=>m("p",{className:"code",translate:!1},e);
function Ru(){let e=o=>o.split("-")[0],t=Object.keys(_),n=navigator.languages.map(o=>t.find(s=>e(s)===e(o))).find(Boolean)??"en",r=$t(_[n],n,String,Number);return Object.assign(document.documentElement,{lang:n,dir:Au.test(r.verifierWait)?"rtl":"ltr"}),r}
function As(...e){let t=document.getElementById("main");t.replaceChildren(...e),t.querySelector("h1").focus({preventScroll:!0})}
var verify=Nu;
