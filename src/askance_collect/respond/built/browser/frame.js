Ft.frame="it is not in a frame without an origin";
var xa=12,
Sa=32;
async function Oa(e){let t=new URLSearchParams(location.hash.slice(1));try{Z(self.origin==="null"&&parent!==self,"frame"),Z(globalThis.crypto?.subtle,"chance"),tt.failed=()=>Z(!1,"chance"),It();let n=await Vr(N("form").textContent,t.get("question"),e),[r]=n.questions,o=n.seal&&await x.createSealer?.(n,e,r.name);Z(o!==null,"chance"),Aa({form:n,expected:e,seal:o,draft:he(n,e,()=>null),question:r},t)}catch(n){if(!(n instanceof be))throw n;Qt([h(`This question cannot be asked here: ${Ft[n.reason]}.`,"complaint")]),kt("refused",{reason:n.reason})}}
function Aa(e,t){let{form:n,expected:r,seal:o,draft:s,question:i}=e,a=Pe(Zr(n.languages,[t.get("lang")??"",...navigator.languages].filter(Boolean))),c=/^[1-6]$/.exec(t.get("level")??"")?.[0]??"2";if(Ea(a,t,a.text(i.text)),t.has("preview"))return Qt(Qr({...e,draft:Jr(n)},a,c)),kt("asked",{label:document.title,height:Jt(),choose:""});let d=()=>Qt(vn(e,a,c,null));return t.has("given")?(d(),kt("asked",{label:document.title,height:Jt(),choose:""})):(s.begin(),Qt(vn(e,a,c,async()=>{d(),document.querySelector("h1")?.focus();let{name:u}=i,l=o?{[u]:await o(s.body())}:Lo(i,s.value(0),u);kt("given",{report:{form:r,question:u,cells:l},told:a.words.given,height:Jt()})})),kt("asked",{label:document.title,height:Jt(),choose:a.words.choose}))}
function Ea({language:e,direction:t},n,r){let{documentElement:o}=document;Object.assign(o,{lang:e,dir:t}),Object.assign(o.dataset,{accent:n.get("accent")??""}),document.title=r;let s=Number(n.get("size"));s>=xa&&s<=Sa&&(o.style.fontSize=`${s}px`)}
var Qt=e=>N("main").replaceChildren(...e),
Jt=()=>Math.ceil(document.documentElement.getBoundingClientRect().height),
kt=(e,t)=>parent.postMessage({askance:e,...t},"*");
var startFrame=Oa;
