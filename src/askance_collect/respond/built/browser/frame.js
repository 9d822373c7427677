Ut.frame="it is not in a frame without an origin";
var Aa=12,
Ea=32;
async function Na(e){let t=new URLSearchParams(location.hash.slice(1));try{Z(self.origin==="null"&&parent!==self,"frame"),Z(globalThis.crypto?.subtle,"chance"),rt.failed=()=>Z(!1,"chance"),$t();let n=await Qr(N("form").textContent,t.get("question"),e),[r]=n.questions,o=n.seal&&await x.createSealer?.(n,e,r.name);Z(o!==null,"chance"),Ta({form:n,expected:e,seal:o,draft:he(n,e,()=>null),question:r},t)}catch(n){if(!(n instanceof be))throw n;Zt([h(`This question cannot be asked here: ${Ut[n.reason]}.`,"complaint")]),xt("refused",{reason:n.reason})}}
function Ta(e,t){let{form:n,expected:r,seal:o,draft:s,question:i}=e,a=Fe(Xr(n.languages,[t.get("lang")??"",...navigator.languages].filter(Boolean))),c=/^[1-6]$/.exec(t.get("level")??"")?.[0]??"2";if(La(a,t,a.text(i.text)),t.has("preview"))return Zt(Jr({...e,draft:Zr(n)},a,c)),xt("asked",{label:document.title,height:Xt(),choose:""});let d=()=>Zt(Bn(e,a,c,null));return t.has("given")?(d(),xt("asked",{label:document.title,height:Xt(),choose:""})):(s.begin(),Zt(Bn(e,a,c,async()=>{d(),document.querySelector("h1")?.focus();let{name:u}=i,l=o?{[u]:await o(s.body())}:Io(i,s.value(0),u);xt("given",{report:{form:r,question:u,cells:l},told:a.words.given,height:Xt()})})),xt("asked",{label:document.title,height:Xt(),choose:a.words.choose}))}
function La({language:e,direction:t},n,r){let{documentElement:o}=document;Object.assign(o,{lang:e,dir:t}),Object.assign(o.dataset,{accent:n.get("accent")??""}),document.title=r;let s=Number(n.get("size"));s>=Aa&&s<=Ea&&(o.style.fontSize=`${s}px`)}
var Zt=e=>N("main").replaceChildren(...e),
Xt=()=>Math.ceil(document.documentElement.getBoundingClientRect().height),
xt=(e,t)=>parent.postMessage({askance:e,...t},"*");
var startFrame=Na;
Ft.frame="it is not in a frame without an origin";
var Oa=12,
Aa=32;
async function Ea(e){let t=new URLSearchParams(location.hash.slice(1));try{Z(self.origin==="null"&&parent!==self,"frame"),Z(globalThis.crypto?.subtle,"chance"),tt.failed=()=>Z(!1,"chance"),It();let n=await Qr(T("form").textContent,t.get("question"),e),[r]=n.questions,o=n.seal&&await x.createSealer?.(n,e,r.name);Z(o!==null,"chance"),Na({form:n,expected:e,seal:o,draft:ge(n,e,()=>null),question:r},t)}catch(n){if(!(n instanceof ye))throw n;Qt([h(`This question cannot be asked here: ${Ft[n.reason]}.`,"complaint")]),kt("refused",{reason:n.reason})}}
function Na(e,t){let{form:n,expected:r,seal:o,draft:s,question:i}=e,a=Pe(Xr(n.languages,[t.get("lang")??"",...navigator.languages].filter(Boolean))),c=/^[1-6]$/.exec(t.get("level")??"")?.[0]??"2";if(Ta(a,t,a.text(i.text)),t.has("preview"))return Qt(Jr({...e,draft:Zr(n)},a,c)),kt("asked",{label:document.title,height:Jt(),choose:""});let d=()=>Qt(vn(e,a,c,null));return t.has("given")?(d(),kt("asked",{label:document.title,height:Jt(),choose:""})):(s.begin(),Qt(vn(e,a,c,async()=>{d(),document.querySelector("h1")?.focus();let{name:u}=i,l=o?{[u]:await o(s.body())}:Lo(i,s.value(0),u);kt("given",{report:{form:r,question:u,cells:l},told:a.words.given,height:Jt()})})),kt("asked",{label:document.title,height:Jt(),choose:a.words.choose}))}
function Ta({language:e,direction:t},n,r){let{documentElement:o}=document;Object.assign(o,{lang:e,dir:t}),Object.assign(o.dataset,{accent:n.get("accent")??""}),document.title=r;let s=Number(n.get("size"));s>=Oa&&s<=Aa&&(o.style.fontSize=`${s}px`)}
var Qt=e=>T("main").replaceChildren(...e),
Jt=()=>Math.ceil(document.documentElement.getBoundingClientRect().height),
kt=(e,t)=>parent.postMessage({askance:e,...t},"*");
var startFrame=Ea;
