Wt.frame="it is not in a frame without an origin";
var Ca=12,
Ra=32;
async function va(e){let t=new URLSearchParams(location.hash.slice(1));try{Y(self.origin==="null"&&parent!==self,"frame"),Y(globalThis.crypto?.subtle,"chance"),ot.failed=()=>Y(!1,"chance"),Rt();let n=await Xr(L("form").textContent,t.get("question"),e),[r]=n.questions,o=n.seal&&await x.createSealer?.(n,e,r.name);Y(o!==null,"chance"),ja({form:n,expected:e,seal:o,draft:we(n,e,()=>null),question:r},t)}catch(n){if(!(n instanceof xe))throw n;Xt([h(`This question cannot be asked here: ${Wt[n.reason]}.`,"complaint")]),xt("refused",{reason:n.reason})}}
function ja(e,t){let{form:n,expected:r,seal:o,draft:s,question:i}=e,a=Ue(eo(n.languages,[t.get("lang")??"",...navigator.languages].filter(Boolean))),c=/^[1-6]$/.exec(t.get("level")??"")?.[0]??"2";if(Ba(a,t,a.text(i.text)),t.has("preview"))return Xt(Yr({...e,draft:qr(n)},a,c)),xt("asked",{label:document.title,height:Yt(),choose:""});let d=()=>Xt(Fn(e,a,c,null));return t.has("given")?(d(),xt("asked",{label:document.title,height:Yt(),choose:""})):(s.begin(),Xt(Fn(e,a,c,async()=>{d(),document.querySelector("h1")?.focus();let{name:u}=i,l=o?{[u]:await o(s.body())}:Co(i,s.value(0),u);xt("given",{report:{form:r,question:u,cells:l},told:a.words.given,height:Yt()})})),xt("asked",{label:document.title,height:Yt(),choose:a.words.choose}))}
function Ba({language:e,direction:t},n,r){let{documentElement:o}=document;Object.assign(o,{lang:e,dir:t}),Object.assign(o.dataset,{accent:n.get("accent")??""}),document.title=r;let s=Number(n.get("size"));s>=Ca&&s<=Ra&&(o.style.fontSize=`${s}px`)}
var Xt=e=>L("main").replaceChildren(...e),
Yt=()=>Math.ceil(document.documentElement.getBoundingClientRect().height),
xt=(e,t)=>parent.postMessage({askance:e,...t},"*");
var startFrame=va;
