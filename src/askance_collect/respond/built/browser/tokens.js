var vs=65537n,
Tu=[2048,3072,4096],
Lu=16,
Iu=32,
Tr=48,
Bs=48,
$u=/^[\w-]+$/,
Cu={tokens:v({issuer:/^(https:\/\/|http:\/\/(?=(localhost|127\.0\.0\.1)[:/]))([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*$/,keys:[v({name:In,n:/^[\w-]{342,683}$/,"codes?":[2,1e9]}),1,void 0,32]})};
function Ru({tokens:{issuer:e,keys:t},collector:n,about:{minimum:r=1}}){new URL(e),w(e!==n,"tokens.issuer"),w(xe(t)&&H(t.map(({n:s})=>s))&&t.every(ju),"tokens.keys"),w(t.every(({n:s})=>s.length===t[0].n.length),"tokens.keys");let o=({codes:s=0})=>Number.isInteger(r)&&s>0&&s>=r;w(t.every(({codes:s})=>s===void 0)||t.every(o),"tokens.keys.codes")}
function ju(e){let t=gn(e);return Tu.includes(t.toString(2).length)&&t%2n===1n&&tt(rt(t,t))===e.n}
var gn=({n:e})=>nt(Be(e)),
tt=e=>btoa(String.fromCharCode(...e)).replace(/\+/g,"-").replace(/\//g,"_").replace(/=/g,""),
Be=e=>Uint8Array.from(atob(e.replace(/-/g,"+").replace(/_/g,"/")),t=>t.charCodeAt(0)),
nt=e=>BigInt(`0x${[...e].map(t=>t.toString(16).padStart(2,"0")).join("")}`);
function rt(e,t){let n=e.toString(16).padStart(Math.ceil(t.toString(16).length/2)*2,"0");return Uint8Array.from(n.match(/../g)??[],r=>Number.parseInt(r,16))}
function Hs(e,t,n){let[r,o]=[1n,e];for(let s=t;s>0n;s>>=1n)s&1n&&(r=r*o%n),o=o*o%n;return r}
function Ps(e,t){let[n,r,o,s]=[t,e,0n,1n];for(;r>0n;){let i=n/r;[n,r,o,s]=[r,n-i*r,s,o-i*s]}return n===1n?(o%t+t)%t:void 0}
var It=(...e)=>Uint8Array.from(e.flatMap(t=>[...t])),
Lr=async(...e)=>new Uint8Array(await crypto.subtle.digest("SHA-384",It(...e)));
async function vu(e,t){let n=[...Array(Math.ceil(t/Bs)).keys()],r=await Promise.all(n.map(o=>Lr(e,[0,0,0,o])));return It(...r).slice(0,t)}
async function Bu(e,t,n){let r=new Uint8Array(rt(0n,n).length-Bs-1);r[r.length-Tr-1]=1,r.set(t,r.length-Tr);let o=await Lr(new Uint8Array(8),await Lr(e),t),s=await vu(o,r.length);return r.forEach((i,a)=>r[a]=i^s[a]),r[0]&=127,nt(It(r,o,[188]))}
var Hu=(e,t)=>It(t,new TextEncoder().encode(`askance-token-1 ${e}`));
function Pu(e){let t;do t=nt(ee(rt(0n,e).length));while(t>=e||Ps(t,e)===void 0);return{prefix:tt(ee(Iu)),salt:tt(ee(Tr)),factor:tt(rt(t,e))}}
async function Fu(e,t,{prefix:n,salt:r,factor:o}){let s=gn(e),i=await Bu(Hu(t,Be(n)),Be(r),s),a=i*Hs(nt(Be(o)),vs,s)%s;return{encoded:i,hidden:tt(rt(a,s))}}
function Mu(e,t,n,r,{prefix:o,factor:s}){let i=gn(e);if(!Ke(r,$u)||r.length!==e.n.length)return;let a=nt(Be(r))*(Ps(nt(Be(s)),i)??0n)%i;if(Hs(a,vs,i)===n)return tt(It([t],Be(o),rt(a,i)))}
var Ir=({fingerprint:e})=>`askance-token:${e}`;
function $r(e){try{return JSON.parse(sessionStorage.getItem(Ir(e))??"null")??e.state.token}catch{return e.state.token}}
function wn(e,t){e.dispatch({type:"update",change:{token:t}});try{t?sessionStorage.setItem(Ir(e),JSON.stringify(t)):sessionStorage.removeItem(Ir(e))}catch{}}
var Cr=e=>$r(e)?.token??"";
async function Du(e,t){let{form:n,fingerprint:r,speech:{words:o}}=e,{issuer:s,keys:i}=n.tokens,a=Je.indexOf(t[0]);if(t.length!==Lu||!i[a]||[...t].some(f=>!Je.includes(f)))return o.invitationUnknown;let c=$r(e),d=c?.code===t?c.drawn:Pu(gn(i[a]));wn(e,{code:t,drawn:d});let{encoded:u,hidden:l}=await Fu(i[a],r,d);try{let f=await Qe(new URL("sign",s),{method:"POST",body:JSON.stringify({blinded:l,code:t}),headers:{"Content-Type":"text/plain"}}),{signature:p,error:g}=await f.json();if(g)return Uu(g.code,o);let k=Mu(i[a],a,u,p,d);if(!k)return o.invitationForged;wn(e,{token:k});return}catch{return o.invitationFailed}}
function Uu(e,t){return e==="unknown"?t.invitationUnknown:e==="exchanged"?t.invitationUsed:e==="wrong"?t.invitationForged:t.invitationFailed}
function Wu(){return new URLSearchParams(location.hash.slice(1)).get("code")??""}
function _u(){let e=new URLSearchParams(location.hash.slice(1));e.delete("code"),history.replaceState(history.state,"",`${location.pathname}${location.search}${String(e)&&`#${e}`}`)}
var Ku=e=>(t,n)=>t.step<=0||Cr(n)||n.draft.isBound()?e(t,n):e({type:"move",step:0,by:0,aside:Gu},n),
Gu={render:zu};
function zu(e){let{form:t,speech:{words:n}}=e,r=Vt(),o=F(),s=y(n.exchange,c,"main"),i=m("p",{role:"status"});r.value=$r(e)?.code??Wu(),r.setAttribute("aria-describedby",o.id),$e(r,o),r.addEventListener("input",a),a();function a(){let d=t.tokens.keys[Je.indexOf(wt(r.value)[0])];i.textContent=d?d.codes?n.invitationCrowd(d.codes,d.name):n.invitationUncounted:""}async function c(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true");let d=await Du(e,wt(r.value));if(s.removeAttribute("aria-disabled"),!!s.isConnected){if(d){D(o,d,r);return}_u(),e.forward()}}return[E(n.invitation),h(n.invitationHow),...t.tokens.keys.length>1?[h(n.invitationKeys(t.tokens.keys.length))]:[],m("label",{htmlFor:r.id},n.invitation),r,i,o,S(y(n.back,()=>e.turnTo(void 0)),s)]}
function Vu(e){let{state:t,resume:n}=e.draft;e.draft.state=()=>{let r=t();return{...r,kept:{...r.kept,token:Cr(e)}}},e.draft.resume=({token:r,...o})=>{r&&wn(e,{token:r}),n(o)}}
b({name:"tokens",shapes:Cu,validate:Ru,wrap:{openVisit:e=>t=>{Vu(t),e(t)},redirectMove:Ku,renderEnding:e=>(t,n,r)=>(wn(r,void 0),e(t,n,r)),stamp:()=>Cr}});
