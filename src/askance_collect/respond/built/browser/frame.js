Lt.frame="it is not in a frame without an origin";
var Bi=12,
Hi=32;
async function Pi(e){let t=new URLSearchParams(location.hash.slice(1));try{J(self.origin==="null"&&parent!==self,"frame"),J(globalThis.crypto?.subtle,"chance"),ze.failed=()=>J(!1,"chance"),kt();let n=await gr(L("form").textContent,t.get("question"),e),[r]=n.questions,o=n.seal&&await x.createSealer?.(n,e,r.name);J(o!==null,"chance"),Mi({form:n,expected:e,seal:o,draft:ce(n,e,()=>null),question:r},t)}catch(n){if(!(n instanceof fe))throw n;Pt([h(`This question cannot be asked here: ${Lt[n.reason]}.`,"complaint")]),ut("refused",{reason:n.reason})}}
function Mi(e,t){let{form:n,expected:r,seal:o,draft:s,question:i}=e,a=Ce(yr(n.languages,[t.get("lang")??"",...navigator.languages].filter(Boolean))),c=/^[1-6]$/.exec(t.get("level")??"")?.[0]??"2";if(Di(a,t,a.text(i.text)),t.has("preview"))return Pt(wr({...e,draft:br(n)},a,c)),ut("asked",{label:document.title,height:Mt(),choose:""});let d=()=>Pt(mn(e,a,c,null));return t.has("given")?(d(),ut("asked",{label:document.title,height:Mt(),choose:""})):(s.begin(),Pt(mn(e,a,c,async()=>{d(),document.querySelector("h1")?.focus();let{name:u}=i,l=o?{[u]:await o(s.body())}:zr(i,s.value(0),u);ut("given",{report:{form:r,question:u,cells:l},told:a.words.given,height:Mt()})})),ut("asked",{label:document.title,height:Mt(),choose:a.words.choose}))}
function Di({language:e,direction:t},n,r){let{documentElement:o}=document;Object.assign(o,{lang:e,dir:t}),Object.assign(o.dataset,{accent:n.get("accent")??""}),document.title=r;let s=Number(n.get("size"));s>=Bi&&s<=Hi&&(o.style.fontSize=`${s}px`)}
var Pt=e=>L("main").replaceChildren(...e),
Mt=()=>Math.ceil(document.documentElement.getBoundingClientRect().height),
ut=(e,t)=>parent.postMessage({askance:e,...t},"*");
var startFrame=Pi;
