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
Dt.frame="it is not in a frame without an origin";
var ra=12,
oa=32;
async function sa(e){let t=new URLSearchParams(location.hash.slice(1));try{Z(self.origin==="null"&&parent!==self,"frame"),Z(globalThis.crypto?.subtle,"chance"),et.failed=()=>Z(!1,"chance"),It();let n=await Br(N("form").textContent,t.get("question"),e),[r]=n.questions,o=n.seal&&await k.createSealer?.(n,e,r.name);Z(o!==null,"chance"),ia({form:n,expected:e,seal:o,draft:ue(n,e,()=>null),question:r},t)}catch(n){if(!(n instanceof ge))throw n;Vt([m(`This question cannot be asked here: ${Dt[n.reason]}.`,"complaint")]),kt("refused",{reason:n.reason})}}
function ia(e,t){let{form:n,expected:r,seal:o,draft:s,question:i}=e,a=ve(Pr(n.languages,[t.get("lang")??"",...navigator.languages].filter(Boolean))),c=/^[1-6]$/.exec(t.get("level")??"")?.[0]??"2";if(aa(a,t,a.text(i.text)),t.has("preview"))return Vt(vr({...e,draft:Hr(n)},a,c)),kt("asked",{label:document.title,height:Qt(),choose:""});let d=()=>Vt(Ln(e,a,c,null));return t.has("given")?(d(),kt("asked",{label:document.title,height:Qt(),choose:""})):(s.begin(),Vt(Ln(e,a,c,async()=>{d(),document.querySelector("h1")?.focus();let{name:u}=i,l=o?{[u]:await o(s.body())}:fo(i,s.value(0),u);kt("given",{report:{form:r,question:u,cells:l},told:a.words.given,height:Qt()})})),kt("asked",{label:document.title,height:Qt(),choose:a.words.choose}))}
function aa({language:e,direction:t},n,r){let{documentElement:o}=document;Object.assign(o,{lang:e,dir:t}),Object.assign(o.dataset,{accent:n.get("accent")??""}),document.title=r;let s=Number(n.get("size"));s>=ra&&s<=oa&&(o.style.fontSize=`${s}px`)}
var Vt=e=>N("main").replaceChildren(...e),
Qt=()=>Math.ceil(document.documentElement.getBoundingClientRect().height),
kt=(e,t)=>parent.postMessage({askance:e,...t},"*");
var startFrame=sa;
