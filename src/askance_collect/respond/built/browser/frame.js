_t.frame="it is not in a frame without an origin";
var Ua=12,
Wa=32;
async function _a(e){let t=new URLSearchParams(location.hash.slice(1));try{Y(self.origin==="null"&&parent!==self,"frame"),Y(globalThis.crypto?.subtle,"chance"),st.failed=()=>Y(!1,"chance"),jt();let n=await oo(L("form").textContent,t.get("question"),e),[r]=n.questions,o=n.seal&&await x.createSealer?.(n,e,r.name);Y(o!==null,"chance"),Ka({form:n,expected:e,seal:o,draft:ye(n,e,()=>null),question:r},t)}catch(n){if(!(n instanceof Se))throw n;Yt([h(`This question cannot be asked here: ${_t[n.reason]}.`,"complaint")]),St("refused",{reason:n.reason})}}
function Ka(e,t){let{form:n,expected:r,seal:o,draft:s,question:i}=e,a=Ue(ao(n.languages,[t.get("lang")??"",...navigator.languages].filter(Boolean))),c=/^[1-6]$/.exec(t.get("level")??"")?.[0]??"2";if(Ga(a,t,a.text(i.text)),t.has("preview"))return Yt(so({...e,draft:io(n)},a,c)),St("asked",{label:document.title,height:qt(),choose:""});let d=()=>Yt(Dn(e,a,c,null));return t.has("given")?(d(),St("asked",{label:document.title,height:qt(),choose:""})):(s.begin(),Yt(Dn(e,a,c,async()=>{d(),document.querySelector("h1")?.focus();let{name:u}=i,l=o?{[u]:await o(s.body())}:Fo(i,s.value(0),u);St("given",{report:{form:r,question:u,cells:l},told:a.words.given,height:qt()})})),St("asked",{label:document.title,height:qt(),choose:a.words.choose}))}
function Ga({language:e,direction:t},n,r){let{documentElement:o}=document;Object.assign(o,{lang:e,dir:t}),Object.assign(o.dataset,{accent:n.get("accent")??""}),document.title=r;let s=Number(n.get("size"));s>=Ua&&s<=Wa&&(o.style.fontSize=`${s}px`)}
var Yt=e=>L("main").replaceChildren(...e),
qt=()=>Math.ceil(document.documentElement.getBoundingClientRect().height),
St=(e,t)=>parent.postMessage({askance:e,...t},"*");
var startFrame=_a;
