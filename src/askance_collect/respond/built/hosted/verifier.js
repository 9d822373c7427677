var xu=3e4,
Su=/^[\u0590-\u08ff]/,
Ou=globalThis.trustedTypes?.createPolicy("verified",{createHTML:e=>e});
function Au(e){let t=Cu(),n=0,r=async()=>{let o=n+=1;As(O(t.verifierWait));let{text:s,screen:i}=await Eu(e,location.hash.slice(1));o===n&&(s===void 0?As(...Iu[i.why](t,{...e,...i},r)):Lu(s))};return document.getElementById("contact").replaceChildren(p("h2",{},t.verifierTell),...G(e.tell)),window.addEventListener("hashchange",r),r()}
async function Eu({address:e,sha256:t,size:n},r){let o=new URLSearchParams(r),s=(i,a)=>(o.get(i)??a)!==a;if(!globalThis.crypto?.subtle||window.top!==window)return{screen:{why:"here"}};if(s("page",e)||s("sha256",t))return{screen:{why:"link"}};try{let i=await Nu(e,n),a=await Tu(i);return a===t?{text:new TextDecoder("utf-8",{fatal:!0,ignoreBOM:!0}).decode(i)}:{screen:{why:"other",found:i.length>n?`> ${n} B`:a}}}catch{return{screen:{why:"away"}}}}
async function Nu(e,t){let n=await fetch(e,{cache:"no-store",credentials:"omit",redirect:"error",referrerPolicy:"no-referrer",signal:AbortSignal.timeout?.(xu)}),r=new Uint8Array(t+1),o=n.body.getReader(),s=0;for(;s<=t;){let{done:i,value:a}=await o.read();if(i)return r.subarray(0,s);r.set(a.subarray(0,t+1-s),s),s+=a.length}return o.cancel().catch(()=>{}),r}
async function Tu(e){let t=await crypto.subtle.digest("SHA-256",e);return[...new Uint8Array(t)].map(n=>n.toString(16).padStart(2,"0")).join("")}
function Lu(e){document.open(),document.write(Ou?.createHTML(e)??e),document.close()}
var Iu={other:(e,{address:t,sha256:n,found:r})=>[O(e.verifierOther),h(e.verifierOtherHint(xr(t))),F(e.verifierNumbers,h(e.verifierPublished,"hint"),Os(n),h(e.verifierFound,"hint"),Os(r))],away:(e,{address:t},n)=>[O(e.verifierAway),h(e.verifierAwayHint(xr(t))),S(w(e.tryAgain,n,"main"))],link:(e,{address:t})=>[O(e.verifierLink),h(e.verifierLinkHint(xr(t)))],here:e=>[O(e.verifierHere),h(e.verifierHereHint)]},
xr=e=>`⁦${e}⁩`,
Os=e=>p("p",{className:"code",translate:!1},e);
function Cu(){let e=o=>o.split("-")[0],t=Object.keys(_),n=navigator.languages.map(o=>t.find(s=>e(s)===e(o))).find(Boolean)??"en",r=$t(_[n],n,String,Number);return Object.assign(document.documentElement,{lang:n,dir:Su.test(r.verifierWait)?"rtl":"ltr"}),r}
function As(...e){let t=document.getElementById("main");t.replaceChildren(...e),t.querySelector("h1").focus({preventScroll:!0})}
var verify=Au;
