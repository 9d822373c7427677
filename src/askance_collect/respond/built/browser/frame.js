Mt.frame="it is not in a frame without an origin";
var ga=12,
wa=32;
async function ba(e){let t=new URLSearchParams(location.hash.slice(1));try{X(self.origin==="null"&&parent!==self,"frame"),X(globalThis.crypto?.subtle,"chance"),et.failed=()=>X(!1,"chance"),Ct();let n=await Br(N("form").textContent,t.get("question"),e),[r]=n.questions,o=n.seal&&await x.createSealer?.(n,e,r.name);X(o!==null,"chance"),ya({form:n,expected:e,seal:o,draft:pe(n,e,()=>null),question:r},t)}catch(n){if(!(n instanceof be))throw n;Qt([m(`This question cannot be asked here: ${Mt[n.reason]}.`,"complaint")]),xt("refused",{reason:n.reason})}}
function ya(e,t){let{form:n,expected:r,seal:o,draft:s,question:i}=e,a=Pe(Dr(n.languages,[t.get("lang")??"",...navigator.languages].filter(Boolean))),c=/^[1-6]$/.exec(t.get("level")??"")?.[0]??"2";if(ka(a,t,a.text(i.text)),t.has("preview"))return Qt(Hr({...e,draft:Pr(n)},a,c)),xt("asked",{label:document.title,height:Jt(),choose:""});let d=()=>Qt(In(e,a,c,null));return t.has("given")?(d(),xt("asked",{label:document.title,height:Jt(),choose:""})):(s.begin(),Qt(In(e,a,c,async()=>{d(),document.querySelector("h1")?.focus();let{name:u}=i,l=o?{[u]:await o(s.body())}:bo(i,s.value(0),u);xt("given",{report:{form:r,question:u,cells:l},told:a.words.given,height:Jt()})})),xt("asked",{label:document.title,height:Jt(),choose:a.words.choose}))}
function ka({language:e,direction:t},n,r){let{documentElement:o}=document;Object.assign(o,{lang:e,dir:t}),Object.assign(o.dataset,{accent:n.get("accent")??""}),document.title=r;let s=Number(n.get("size"));s>=ga&&s<=wa&&(o.style.fontSize=`${s}px`)}
var Qt=e=>N("main").replaceChildren(...e),
Jt=()=>Math.ceil(document.documentElement.getBoundingClientRect().height),
xt=(e,t)=>parent.postMessage({askance:e,...t},"*");
var startFrame=ba;
