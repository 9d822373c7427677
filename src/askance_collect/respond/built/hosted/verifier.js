var cu=3e4,
du=/^[\u0590-\u08ff]/,
lu=globalThis.trustedTypes?.createPolicy("verified",{createHTML:e=>e});
function uu(e){let t=wu(),n=0,r=async()=>{let o=n+=1;ps(O(t.verifierWait));let{text:s,screen:i}=await fu(e,location.hash.slice(1));o===n&&(s===void 0?ps(...gu[i.why](t,{...e,...i},r)):hu(s))};return document.getElementById("contact").replaceChildren(p("h2",{},t.verifierTell),...G(e.tell)),window.addEventListener("hashchange",r),r()}
async function fu({address:e,sha256:t,size:n},r){let o=new URLSearchParams(r),s=(i,a)=>(o.get(i)??a)!==a;if(!globalThis.crypto?.subtle||window.top!==window)return{screen:{why:"here"}};if(s("page",e)||s("sha256",t))return{screen:{why:"link"}};try{let i=await pu(e,n),a=await mu(i);return a===t?{text:new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}).decode(i)}:{screen:{why:"other",found:i.length>n?`> ${n} B`:a}}}catch{return{screen:{why:"away"}}}}
async function pu(e,t){let n=await fetch(e,{cache:"no-store",credentials:"omit",redirect:"error",referrerPolicy:"no-referrer",signal:AbortSignal.timeout?.(cu)}),r=new Uint8Array(t+1),o=n.body.getReader(),s=0;for(;s<=t;){let{done:i,value:a}=await o.read();if(i)return r.subarray(0,s);r.set(a.subarray(0,t+1-s),s),s+=a.length}return o.cancel().catch(()=>{}),r}
async function mu(e){let t=await crypto.subtle.digest("SHA-256",e);return[...new Uint8Array(t)].map(n=>n.toString(16).padStart(2,"0")).join("")}
function hu(e){document.open(),document.write(lu?.createHTML(e)??e),document.close()}
var gu={other:(e,{address:t,sha256:n,found:r})=>[O(e.verifierOther),m(e.verifierOtherHint(br(t))),D(e.verifierNumbers,m(e.verifierPublished,"hint"),fs(n),m(e.verifierFound,"hint"),fs(r))],away:(e,{address:t},n)=>[O(e.verifierAway),m(e.verifierAwayHint(br(t))),S(w(e.tryAgain,n,"main"))],link:(e,{address:t})=>[O(e.verifierLink),m(e.verifierLinkHint(br(t)))],here:e=>[O(e.verifierHere),m(e.verifierHereHint)]},
br=e=>`⁦${e}⁩`,
fs=e=>p("p",{className:"code",translate:!1},e);
function wu(){let e=o=>o.split("-")[0],t=Object.keys(_),n=navigator.languages.map(o=>t.find(s=>e(s)===e(o))).find(Boolean)??"en",r=Rt(_[n],n,String,Number);return Object.assign(document.documentElement,{lang:n,dir:du.test(r.verifierWait)?"rtl":"ltr"}),r}
function ps(...e){let t=document.getElementById("main");t.replaceChildren(...e),t.querySelector("h1").focus({preventScroll:!0})}
var verify=uu;
