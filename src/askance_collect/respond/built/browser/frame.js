Ct.frame="it is not in a frame without an origin";
var Zi=12,
Yi=32;
async function Xi(e){let t=new URLSearchParams(location.hash.slice(1));try{Y(self.origin==="null"&&parent!==self,"frame"),Y(globalThis.crypto?.subtle,"chance"),Qe.failed=()=>Y(!1,"chance"),Ot();let n=await xr(L("form").textContent,t.get("question"),e),[r]=n.questions,o=n.seal&&await x.createSealer?.(n,e,r.name);Y(o!==null,"chance"),qi({form:n,expected:e,seal:o,draft:le(n,e,()=>null),question:r},t)}catch(n){if(!(n instanceof me))throw n;Dt([h(`This question cannot be asked here: ${Ct[n.reason]}.`,"complaint")]),mt("refused",{reason:n.reason})}}
function qi(e,t){let{form:n,expected:r,seal:o,draft:s,question:i}=e,a=je(Ar(n.languages,[t.get("lang")??"",...navigator.languages].filter(Boolean))),c=/^[1-6]$/.exec(t.get("level")??"")?.[0]??"2";if(ea(a,t,a.text(i.text)),t.has("preview"))return Dt(Sr({...e,draft:Or(n)},a,c)),mt("asked",{label:document.title,height:Ut(),choose:""});let d=()=>Dt(wn(e,a,c,null));return t.has("given")?(d(),mt("asked",{label:document.title,height:Ut(),choose:""})):(s.begin(),Dt(wn(e,a,c,async()=>{d(),document.querySelector("h1")?.focus();let{name:u}=i,l=o?{[u]:await o(s.body())}:eo(i,s.value(0),u);mt("given",{report:{form:r,question:u,cells:l},told:a.words.given,height:Ut()})})),mt("asked",{label:document.title,height:Ut(),choose:a.words.choose}))}
function ea({language:e,direction:t},n,r){let{documentElement:o}=document;Object.assign(o,{lang:e,dir:t}),Object.assign(o.dataset,{accent:n.get("accent")??""}),document.title=r;let s=Number(n.get("size"));s>=Zi&&s<=Yi&&(o.style.fontSize=`${s}px`)}
var Dt=e=>L("main").replaceChildren(...e),
Ut=()=>Math.ceil(document.documentElement.getBoundingClientRect().height),
mt=(e,t)=>parent.postMessage({askance:e,...t},"*");
var startFrame=Xi;
