var Cu=3e4,
Ru=/^[\u0590-\u08ff]/,
vu=globalThis.trustedTypes?.createPolicy("verified",{createHTML:e=>e});
function ju(e){let t=Mu(),n=0,r=async()=>{let o=n+=1;Ts(A(t.verifierWait));let{text:s,screen:i}=await Bu(e,location.hash.slice(1));o===n&&(s===void 0?Ts(...Fu[i.why](t,{...e,...i},r)):Du(s))};return document.getElementById("contact").replaceChildren(m("h2",{},t.verifierTell),...G(e.tell)),window.addEventListener("hashchange",r),r()}
async function Bu({address:e,sha256:t,size:n},r){let o=new URLSearchParams(r),s=(i,a)=>(o.get(i)??a)!==a;if(!globalThis.crypto?.subtle||window.top!==window)return{screen:{why:"here"}};if(s("page",e)||s("sha256",t))return{screen:{why:"link"}};try{let i=await Hu(e,n),a=await Pu(i);return a===t?{text:new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}).decode(i)}:{screen:{why:"other",found:i.length>n?`> ${n} B`:a}}}catch{return{screen:{why:"away"}}}}
async function Hu(e,t){let n=await fetch(e,{cache:"no-store",credentials:"omit",redirect:"error",referrerPolicy:"no-referrer",signal:AbortSignal.timeout?.(Cu)}),r=new Uint8Array(t+1),o=n.body.getReader(),s=0;for(;s<=t;){let{done:i,value:a}=await o.read();if(i)return r.subarray(0,s);r.set(a.subarray(0,t+1-s),s),s+=a.length}return o.cancel().catch(()=>{}),r}
async function Pu(e){let t=await crypto.subtle.digest("SHA-256",e);return[...new Uint8Array(t)].map(n=>n.toString(16).padStart(2,"0")).join("")}
function Du(e){document.open(),document.write(vu?.createHTML(e)??e),document.close()}
var Fu={other:(e,{address:t,sha256:n,found:r})=>[A(e.verifierOther),h(e.verifierOtherHint(Ar(t))),v(e.verifierNumbers,h(e.verifierPublished,"hint"),Ns(n),h(e.verifierFound,"hint"),Ns(r))],away:(e,{address:t},n)=>[A(e.verifierAway),h(e.verifierAwayHint(Ar(t))),S(b(e.tryAgain,n,"main"))],link:(e,{address:t})=>[A(e.verifierLink),h(e.verifierLinkHint(Ar(t)))],here:e=>[A(e.verifierHere),h(e.verifierHereHint)]},
Ar=e=>`⁦${e}⁩`,
Ns=e=>m("p",{className:"code",translate:!1},e);
function Mu(){let e=o=>o.split("-")[0],t=Object.keys(_),n=navigator.languages.map(o=>t.find(s=>e(s)===e(o))).find(Boolean)??"en",r=vt(_[n],n,String,Number);return Object.assign(document.documentElement,{lang:n,dir:Ru.test(r.verifierWait)?"rtl":"ltr"}),r}
function Ts(...e){let t=document.getElementById("main");t.replaceChildren(...e),t.querySelector("h1").focus({preventScroll:!0})}
var verify=ju;
