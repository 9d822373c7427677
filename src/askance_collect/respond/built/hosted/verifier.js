var Yl=3e4,
Xl=/^[\u0590-\u08ff]/,
ql=globalThis.trustedTypes?.createPolicy("verified",{createHTML:e=>e});
function eu(e){let t=iu(),n=0,r=async()=>{let o=n+=1;Zo(E(t.verifierWait));let{text:s,screen:i}=await tu(e,location.hash.slice(1));o===n&&(s===void 0?Zo(...su[i.why](t,{...e,...i},r)):ou(s))};return document.getElementById("contact").replaceChildren(m("h2",{},t.verifierTell),...z(e.tell)),window.addEventListener("hashchange",r),r()}
async function tu({address:e,sha256:t,size:n},r){let o=new URLSearchParams(r),s=(i,a)=>(o.get(i)??a)!==a;if(!globalThis.crypto?.subtle||window.top!==window)return{screen:{why:"here"}};if(s("page",e)||s("sha256",t))return{screen:{why:"link"}};try{let i=await nu(e,n),a=await ru(i);return a===t?{text:new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}).decode(i)}:{screen:{why:"other",found:i.length>n?`> ${n} B`:a}}}catch{return{screen:{why:"away"}}}}
async function nu(e,t){let n=await fetch(e,{cache:"no-store",credentials:"omit",redirect:"error",referrerPolicy:"no-referrer",signal:AbortSignal.timeout?.(Yl)}),r=new Uint8Array(t+1),o=n.body.getReader(),s=0;for(;s<=t;){let{done:i,value:a}=await o.read();if(i)return r.subarray(0,s);r.set(a.subarray(0,t+1-s),s),s+=a.length}return o.cancel().catch(()=>{}),r}
async function ru(e){let t=await crypto.subtle.digest("SHA-256",e);return[...new Uint8Array(t)].map(n=>n.toString(16).padStart(2,"0")).join("")}
function ou(e){document.open(),document.write(ql?.createHTML(e)??e),document.close()}
var su={other:(e,{address:t,sha256:n,found:r})=>[E(e.verifierOther),h(e.verifierOtherHint(nr(t))),U(e.verifierNumbers,h(e.verifierPublished,"hint"),Jo(n),h(e.verifierFound,"hint"),Jo(r))],away:(e,{address:t},n)=>[E(e.verifierAway),h(e.verifierAwayHint(nr(t))),O(b(e.tryAgain,n,"main"))],link:(e,{address:t})=>[E(e.verifierLink),h(e.verifierLinkHint(nr(t)))],here:e=>[E(e.verifierHere),h(e.verifierHereHint)]},
nr=e=>`⁦${e}⁩`,
Jo=e=>m("p",{className:"code",translate:!1},e);
function iu(){let e=o=>o.split("-")[0],t=Object.keys(G),n=navigator.languages.map(o=>t.find(s=>e(s)===e(o))).find(Boolean)??"en",r=Et(G[n],n,String,Number);return Object.assign(document.documentElement,{lang:n,dir:Xl.test(r.verifierWait)?"rtl":"ltr"}),r}
function Zo(...e){let t=document.getElementById("main");t.replaceChildren(...e),t.querySelector("h1").focus({preventScroll:!0})}
var verify=eu;
ql=/^[\u0590-\u08ff]/,
eu=globalThis.trustedTypes?.createPolicy("verified",{createHTML:e=>e});
function tu(e){let t=au(),n=0,r=async()=>{let o=n+=1;cs(O(t.verifierWait));let{text:s,screen:i}=await nu(e,location.hash.slice(1));o===n&&(s===void 0?cs(...iu[i.why](t,{...e,...i},r)):su(s))};return document.getElementById("contact").replaceChildren(p("h2",{},t.verifierTell),...Y(e.tell)),window.addEventListener("hashchange",r),r()}
async function nu({address:e,sha256:t,size:n},r){let o=new URLSearchParams(r),s=(i,a)=>(o.get(i)??a)!==a;if(!globalThis.crypto?.subtle||window.top!==window)return{screen:{why:"here"}};if(s("page",e)||s("sha256",t))return{screen:{why:"link"}};try{let i=await ru(e,n),a=await ou(i);return a===t?{text:new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}).decode(i)}:{screen:{why:"other",found:i.length>n?`> ${n} B`:a}}}catch{return{screen:{why:"away"}}}}
async function ru(e,t){let n=await fetch(e,{cache:"no-store",credentials:"omit",redirect:"error",referrerPolicy:"no-referrer",signal:AbortSignal.timeout?.(Yl)}),r=new Uint8Array(t+1),o=n.body.getReader(),s=0;for(;s<=t;){let{done:i,value:a}=await o.read();if(i)return r.subarray(0,s);r.set(a.subarray(0,t+1-s),s),s+=a.length}return o.cancel().catch(()=>{}),r}
async function ou(e){let t=await crypto.subtle.digest("SHA-256",e);return[...new Uint8Array(t)].map(n=>n.toString(16).padStart(2,"0")).join("")}
function su(e){document.open(),document.write(eu?.createHTML(e)??e),document.close()}
var iu={other:(e,{address:t,sha256:n,found:r})=>[O(e.verifierOther),m(e.verifierOtherHint(gr(t))),D(e.verifierNumbers,m(e.verifierPublished,"hint"),as(n),m(e.verifierFound,"hint"),as(r))],away:(e,{address:t},n)=>[O(e.verifierAway),m(e.verifierAwayHint(gr(t))),x(w(e.tryAgain,n,"main"))],link:(e,{address:t})=>[O(e.verifierLink),m(e.verifierLinkHint(gr(t)))],here:e=>[O(e.verifierHere),m(e.verifierHereHint)]},
gr=e=>`⁦${e}⁩`,
as=e=>p("p",{className:"code",translate:!1},e);
function au(){let e=o=>o.split("-")[0],t=Object.keys(_),n=navigator.languages.map(o=>t.find(s=>e(s)===e(o))).find(Boolean)??"en",r=$t(_[n],n,String,Number);return Object.assign(document.documentElement,{lang:n,dir:ql.test(r.verifierWait)?"rtl":"ltr"}),r}
function cs(...e){let t=document.getElementById("main");t.replaceChildren(...e),t.querySelector("h1").focus({preventScroll:!0})}
var verify=tu;
