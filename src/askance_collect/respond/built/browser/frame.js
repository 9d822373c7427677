Nt.frame="it is not in a frame without an origin";
var Di=12,
Ui=32;
async function Fi(e){let t=new URLSearchParams(location.hash.slice(1));try{Z(self.origin==="null"&&parent!==self,"frame"),Z(globalThis.crypto?.subtle,"chance"),Qe.failed=()=>Z(!1,"chance"),St();let n=await kr(L("form").textContent,t.get("question"),e),[r]=n.questions,o=n.seal&&await x.createSealer?.(n,e,r.name);Z(o!==null,"chance"),Wi({form:n,expected:e,seal:o,draft:ce(n,e,()=>null),question:r},t)}catch(n){if(!(n instanceof fe))throw n;Mt([h(`This question cannot be asked here: ${Nt[n.reason]}.`,"complaint")]),pt("refused",{reason:n.reason})}}
function Wi(e,t){let{form:n,expected:r,seal:o,draft:s,question:i}=e,a=ve(Or(n.languages,[t.get("lang")??"",...navigator.languages].filter(Boolean))),c=/^[1-6]$/.exec(t.get("level")??"")?.[0]??"2";if(_i(a,t,a.text(i.text)),t.has("preview"))return Mt(xr({...e,draft:Sr(n)},a,c)),pt("asked",{label:document.title,height:Dt(),choose:""});let d=()=>Mt(gn(e,a,c,null));return t.has("given")?(d(),pt("asked",{label:document.title,height:Dt(),choose:""})):(s.begin(),Mt(gn(e,a,c,async()=>{d(),document.querySelector("h1")?.focus();let{name:u}=i,l=o?{[u]:await o(s.body())}:Jr(i,s.value(0),u);pt("given",{report:{form:r,question:u,cells:l},told:a.words.given,height:Dt()})})),pt("asked",{label:document.title,height:Dt(),choose:a.words.choose}))}
function _i({language:e,direction:t},n,r){let{documentElement:o}=document;Object.assign(o,{lang:e,dir:t}),Object.assign(o.dataset,{accent:n.get("accent")??""}),document.title=r;let s=Number(n.get("size"));s>=Di&&s<=Ui&&(o.style.fontSize=`${s}px`)}
var Mt=e=>L("main").replaceChildren(...e),
Dt=()=>Math.ceil(document.documentElement.getBoundingClientRect().height),
pt=(e,t)=>parent.postMessage({askance:e,...t},"*");
var startFrame=Fi;
