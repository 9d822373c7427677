Ut.frame="it is not in a frame without an origin";
var Ia=12,
$a=32;
async function Ca(e){let t=new URLSearchParams(location.hash.slice(1));try{Z(self.origin==="null"&&parent!==self,"frame"),Z(globalThis.crypto?.subtle,"chance"),ot.failed=()=>Z(!1,"chance"),Ct();let n=await Jr(T("form").textContent,t.get("question"),e),[r]=n.questions,o=n.seal&&await x.createSealer?.(n,e,r.name);Z(o!==null,"chance"),Ra({form:n,expected:e,seal:o,draft:ge(n,e,()=>null),question:r},t)}catch(n){if(!(n instanceof ye))throw n;Zt([h(`This question cannot be asked here: ${Ut[n.reason]}.`,"complaint")]),xt("refused",{reason:n.reason})}}
function Ra(e,t){let{form:n,expected:r,seal:o,draft:s,question:i}=e,a=Fe(Yr(n.languages,[t.get("lang")??"",...navigator.languages].filter(Boolean))),c=/^[1-6]$/.exec(t.get("level")??"")?.[0]??"2";if(va(a,t,a.text(i.text)),t.has("preview"))return Zt(Zr({...e,draft:Xr(n)},a,c)),xt("asked",{label:document.title,height:Xt(),choose:""});let d=()=>Zt(Bn(e,a,c,null));return t.has("given")?(d(),xt("asked",{label:document.title,height:Xt(),choose:""})):(s.begin(),Zt(Bn(e,a,c,async()=>{d(),document.querySelector("h1")?.focus();let{name:u}=i,l=o?{[u]:await o(s.body())}:Io(i,s.value(0),u);xt("given",{report:{form:r,question:u,cells:l},told:a.words.given,height:Xt()})})),xt("asked",{label:document.title,height:Xt(),choose:a.words.choose}))}
function va({language:e,direction:t},n,r){let{documentElement:o}=document;Object.assign(o,{lang:e,dir:t}),Object.assign(o.dataset,{accent:n.get("accent")??""}),document.title=r;let s=Number(n.get("size"));s>=Ia&&s<=$a&&(o.style.fontSize=`${s}px`)}
var Zt=e=>T("main").replaceChildren(...e),
Xt=()=>Math.ceil(document.documentElement.getBoundingClientRect().height),
xt=(e,t)=>parent.postMessage({askance:e,...t},"*");
var startFrame=Ca;
