var Mu=3e4,
Uu=/^[\u0590-\u08ff]/,
Wu=globalThis.trustedTypes?.createPolicy("verified",{createHTML:e=>e});
function Ku(e){let t=Ju(),n=0,r=async()=>{let o=n+=1;Is(E(t.verifierWait));let{text:s,screen:i}=await _u(e,location.hash.slice(1));o===n&&(s===void 0?Is(...Qu[i.why](t,{...e,...i},r)):Vu(s))};return document.getElementById("contact").replaceChildren(p("h2",{},t.verifierTell),...z(e.tell)),window.addEventListener("hashchange",r),r()}
async function _u({address:e,sha256:t,size:n},r){let o=new URLSearchParams(r),s=(i,a)=>(o.get(i)??a)!==a;if(!globalThis.crypto?.subtle||window.top!==window)return{screen:{why:"here"}};if(s("page",e)||s("sha256",t))return{screen:{why:"link"}};try{let i=await Gu(e,n),a=await zu(i);return a===t?{text:new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}).decode(i)}:{screen:{why:"other",found:i.length>n?`> ${n} B`:a}}}catch{return{screen:{why:"away"}}}}
async function Gu(e,t){let n=await fetch(e,{cache:"no-store",credentials:"omit",redirect:"error",referrerPolicy:"no-referrer",signal:AbortSignal.timeout?.(Mu)}),r=new Uint8Array(t+1),o=n.body.getReader(),s=0;for(;s<=t;){let{done:i,value:a}=await o.read();if(i)return r.subarray(0,s);r.set(a.subarray(0,t+1-s),s),s+=a.length}return o.cancel().catch(()=>{}),r}
async function zu(e){let t=await crypto.subtle.digest("SHA-256",e);return[...new Uint8Array(t)].map(n=>n.toString(16).padStart(2,"0")).join("")}
function Vu(e){document.open(),document.write(Wu?.createHTML(e)??e),document.close()}
var Qu={other:(e,{address:t,sha256:n,found:r})=>[E(e.verifierOther),h(e.verifierOtherHint(Nr(t))),v(e.verifierNumbers,h(e.verifierPublished,"hint"),Ls(n),h(e.verifierFound,"hint"),Ls(r))],away:(e,{address:t},n)=>[E(e.verifierAway),h(e.verifierAwayHint(Nr(t))),S(y(e.tryAgain,n,"main"))],link:(e,{address:t})=>[E(e.verifierLink),h(e.verifierLinkHint(Nr(t)))],here:e=>[E(e.verifierHere),h(e.verifierHereHint)]},
Nr=e=>`⁦${e}⁩`,
Ls=e=>p("p",{className:"code",translate:!1},e);
function Ju(){let e=o=>o.split("-")[0],t=Object.keys(G),n=navigator.languages.map(o=>t.find(s=>e(s)===e(o))).find(Boolean)??"en",r=jt(G[n],n,String,Number);return Object.assign(document.documentElement,{lang:n,dir:Uu.test(r.verifierWait)?"rtl":"ltr"}),r}
function Is(...e){let t=document.getElementById("main");t.replaceChildren(...e),t.querySelector("h1").focus({preventScroll:!0})}
var verify=Ku;
