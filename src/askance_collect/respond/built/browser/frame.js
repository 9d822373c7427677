_t.frame="it is not in a frame without an origin";
var Qa=12,
Ja=32;
async function Za(e){let t=new URLSearchParams(location.hash.slice(1));try{Y(self.origin==="null"&&parent!==self,"frame"),Y(globalThis.crypto?.subtle,"chance"),at.failed=()=>Y(!1,"chance"),vt();let n=await oo(I("form").textContent,t.get("question"),e),[r]=n.questions,o=n.seal&&await x.createSealer?.(n,e,r.name);Y(o!==null,"chance"),Xa({form:n,expected:e,seal:o,draft:ke(n,e,()=>null),question:r},t)}catch(n){if(!(n instanceof Oe))throw n;en([h(`This question cannot be asked here: ${_t[n.reason]}.`,"complaint")]),Ot("refused",{reason:n.reason})}}
function Xa(e,t){let{form:n,expected:r,seal:o,draft:s,question:i}=e,a=Ue(ao(n.languages,[t.get("lang")??"",...navigator.languages].filter(Boolean))),c=/^[1-6]$/.exec(t.get("level")??"")?.[0]??"2";if(Ya(a,t,a.text(i.text)),t.has("preview"))return en(so({...e,draft:io(n)},a,c)),Ot("asked",{label:document.title,height:tn(),choose:""});let d=()=>en(_n(e,a,c,null));return t.has("given")?(d(),Ot("asked",{label:document.title,height:tn(),choose:""})):(s.begin(),en(_n(e,a,c,async()=>{d(),document.querySelector("h1")?.focus();let{name:u}=i,l=o?{[u]:await o(s.body())}:Uo(i,s.value(0),u);Ot("given",{report:{form:r,question:u,cells:l},told:a.words.given,height:tn()})})),Ot("asked",{label:document.title,height:tn(),choose:a.words.choose}))}
function Ya({language:e,direction:t},n,r){let{documentElement:o}=document;Object.assign(o,{lang:e,dir:t}),Object.assign(o.dataset,{accent:n.get("accent")??""}),document.title=r;let s=Number(n.get("size"));s>=Qa&&s<=Ja&&(o.style.fontSize=`${s}px`)}
var en=e=>I("main").replaceChildren(...e),
tn=()=>Math.ceil(document.documentElement.getBoundingClientRect().height),
Ot=(e,t)=>parent.postMessage({askance:e,...t},"*");
var startFrame=Za;
