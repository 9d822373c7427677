var kf=3e4,
xf=/^[\u0590-\u08ff]/,
Sf=globalThis.trustedTypes?.createPolicy("verified",{createHTML:e=>e});
function Of(e){let t=If(),n=0,r=async()=>{let o=n+=1;Gs(T(t.verifierWait));let{text:s,screen:i}=await Af(e,location.hash.slice(1));o===n&&(s===void 0?Gs(...Lf[i.why](t,{...e,...i},r)):Nf(s))};return document.getElementById("contact").replaceChildren(p("h2",{},t.verifierTell),...K(e.tell)),window.addEventListener("hashchange",r),r()}
async function Af({address:e,sha256:t,size:n},r){let o=new URLSearchParams(r),s=(i,a)=>(o.get(i)??a)!==a;if(!globalThis.crypto?.subtle||window.top!==window)return{screen:{why:"here"}};if(s("page",e)||s("sha256",t))return{screen:{why:"link"}};try{let i=await Ef(e,n),a=await Tf(i);return a===t?{text:new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}).decode(i)}:{screen:{why:"other",found:i.length>n?`> ${n} B`:a}}}catch{return{screen:{why:"away"}}}}
async function Ef(e,t){let n=await fetch(e,{cache:"no-store",credentials:"omit",redirect:"error",referrerPolicy:"no-referrer",signal:AbortSignal.timeout?.(kf)}),r=new Uint8Array(t+1),o=n.body.getReader(),s=0;for(;s<=t;){let{done:i,value:a}=await o.read();if(i)return r.subarray(0,s);r.set(a.subarray(0,t+1-s),s),s+=a.length}return o.cancel().catch(()=>{}),r}
async function Tf(e){let t=await crypto.subtle.digest("SHA-256",e);return[...new Uint8Array(t)].map(n=>n.toString(16).padStart(2,"0")).join("")}
function Nf(e){document.open(),document.write(Sf?.createHTML(e)??e),document.close()}
var Lf={other:(e,{address:t,sha256:n,found:r})=>[T(e.verifierOther),h(e.verifierOtherHint(jr(t))),B(e.verifierNumbers,h(e.verifierPublished,"hint"),Ks(n),h(e.verifierFound,"hint"),Ks(r))],away:(e,{address:t},n)=>[T(e.verifierAway),h(e.verifierAwayHint(jr(t))),A(y(e.tryAgain,n,"main"))],link:(e,{address:t})=>[T(e.verifierLink),h(e.verifierLinkHint(jr(t)))],here:e=>[T(e.verifierHere),h(e.verifierHereHint)]},
jr=e=>`⁦${e}⁩`,
Ks=e=>p("p",{className:"code",translate:!1},e);
function If(){let e=o=>o.split("-")[0],t=Object.keys(V),n=navigator.languages.map(o=>t.find(s=>e(s)===e(o))).find(Boolean)??"en",r=Ht(V[n],n,String,Number);return Object.assign(document.documentElement,{lang:n,dir:xf.test(r.verifierWait)?"rtl":"ltr"}),r}
function Gs(...e){let t=document.getElementById("main");t.replaceChildren(...e),t.querySelector("h1").focus({preventScroll:!0})}
var verify=Of;
