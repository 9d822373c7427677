var Ms=65537n,
_u=[2048,3072,4096],
Ku=16,
Gu=32,
Nr=48,
Ds=48,
zu=/^[\w-]+$/,
Vu={tokens:R({issuer:/^(https:\/\/|http:\/\/(?=(localhost|127\.0\.0\.1)[:/]))([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*$/,keys:[R({name:Rn,n:/^[\w-]{342,683}$/,"codes?":[2,1e9]}),1,void 0,32]})};
function Qu({tokens:{issuer:e,keys:t},collector:n,about:{minimum:r=1}}){new URL(e),w(e!==n,"tokens.issuer"),w(Se(t)&&P(t.map(({n:s})=>s))&&t.every(Ju),"tokens.keys"),w(t.every(({n:s})=>s.length===t[0].n.length),"tokens.keys");let o=({codes:s=0})=>Number.isInteger(r)&&s>0&&s>=r;w(t.every(({codes:s})=>s===void 0)||t.every(o),"tokens.keys.codes")}
function Ju(e){let t=bn(e);return _u.includes(t.toString(2).length)&&t%2n===1n&&rt(st(t,t))===e.n}
var bn=({n:e})=>ot(Be(e)),
rt=e=>btoa(String.fromCharCode(...e)).replace(/\+/g,"-").replace(/\//g,"_").replace(/=/g,""),
Be=e=>Uint8Array.from(atob(e.replace(/-/g,"+").replace(/_/g,"/")),t=>t.charCodeAt(0)),
ot=e=>BigInt(`0x${[...e].map(t=>t.toString(16).padStart(2,"0")).join("")}`);
function st(e,t){let n=e.toString(16).padStart(Math.ceil(t.toString(16).length/2)*2,"0");return Uint8Array.from(n.match(/../g)??[],r=>Number.parseInt(r,16))}
function Us(e,t,n){let[r,o]=[1n,e];for(let s=t;s>0n;s>>=1n)s&1n&&(r=r*o%n),o=o*o%n;return r}
function Ws(e,t){let[n,r,o,s]=[t,e,0n,1n];for(;r>0n;){let i=n/r;[n,r,o,s]=[r,n-i*r,s,o-i*s]}return n===1n?(o%t+t)%t:void 0}
var $t=(...e)=>Uint8Array.from(e.flatMap(t=>[...t])),
Lr=async(...e)=>new Uint8Array(await crypto.subtle.digest("SHA-384",$t(...e)));
async function Zu(e,t){let n=[...Array(Math.ceil(t/Ds)).keys()],r=await Promise.all(n.map(o=>Lr(e,[0,0,0,o])));return $t(...r).slice(0,t)}
async function Xu(e,t,n){let r=new Uint8Array(st(0n,n).length-Ds-1);r[r.length-Nr-1]=1,r.set(t,r.length-Nr);let o=await Lr(new Uint8Array(8),await Lr(e),t),s=await Zu(o,r.length);return r.forEach((i,a)=>r[a]=i^s[a]),r[0]&=127,ot($t(r,o,[188]))}
var Yu=(e,t)=>$t(t,new TextEncoder().encode(`askance-token-1 ${e}`));
function qu(e){let t;do t=ot(te(st(0n,e).length));while(t>=e||Ws(t,e)===void 0);return{prefix:rt(te(Gu)),salt:rt(te(Nr)),factor:rt(st(t,e))}}
async function ef(e,t,{prefix:n,salt:r,factor:o}){let s=bn(e),i=await Xu(Yu(t,Be(n)),Be(r),s),a=i*Us(ot(Be(o)),Ms,s)%s;return{encoded:i,hidden:rt(st(a,s))}}
function tf(e,t,n,r,{prefix:o,factor:s}){let i=bn(e);if(!Ge(r,zu)||r.length!==e.n.length)return;let a=ot(Be(r))*(Ws(ot(Be(s)),i)??0n)%i;if(Us(a,Ms,i)===n)return rt($t([t],Be(o),st(a,i)))}
var Ir=({fingerprint:e})=>`askance-token:${e}`;
function $r(e){try{return JSON.parse(sessionStorage.getItem(Ir(e))??"null")??e.state.token}catch{return e.state.token}}
function yn(e,t){e.dispatch({type:"update",change:{token:t}});try{t?sessionStorage.setItem(Ir(e),JSON.stringify(t)):sessionStorage.removeItem(Ir(e))}catch{}}
var Cr=e=>$r(e)?.token??"";
async function nf(e,t){let{form:n,fingerprint:r,speech:{words:o}}=e,{issuer:s,keys:i}=n.tokens,a=Xe.indexOf(t[0]);if(t.length!==Ku||!i[a]||[...t].some(f=>!Xe.includes(f)))return o.invitationUnknown;let c=$r(e),d=c?.code===t?c.drawn:qu(bn(i[a]));yn(e,{code:t,drawn:d});let{encoded:u,hidden:l}=await ef(i[a],r,d);try{let f=await Ze(new URL("sign",s),{method:"POST",body:JSON.stringify({blinded:l,code:t}),headers:{"Content-Type":"text/plain"}}),{signature:m,error:g}=await f.json();if(g)return rf(g.code,o);let k=tf(i[a],a,u,m,d);if(!k)return o.invitationForged;yn(e,{token:k});return}catch{return o.invitationFailed}}
function rf(e,t){return e==="unknown"?t.invitationUnknown:e==="exchanged"?t.invitationUsed:e==="wrong"?t.invitationForged:t.invitationFailed}
function of(){return new URLSearchParams(location.hash.slice(1)).get("code")??""}
function sf(){let e=new URLSearchParams(location.hash.slice(1));e.delete("code"),history.replaceState(history.state,"",`${location.pathname}${location.search}${String(e)&&`#${e}`}`)}
var af=e=>(t,n)=>t.step<=0||Cr(n)||n.draft.isBound()?e(t,n):e({type:"move",step:0,by:0,aside:cf},n),
cf={render:df};
function df(e){let{form:t,speech:{words:n}}=e,r=Vt(),o=M(),s=y(n.exchange,c,"main"),i=p("p",{role:"status"});r.value=$r(e)?.code??of(),r.setAttribute("aria-describedby",o.id),Ce(r,o),r.addEventListener("input",a),a();function a(){let d=t.tokens.keys[Xe.indexOf(bt(r.value)[0])];i.textContent=d?d.codes?n.invitationCrowd(d.codes,d.name):n.invitationUncounted:""}async function c(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true");let d=await nf(e,bt(r.value));if(s.removeAttribute("aria-disabled"),!!s.isConnected){if(d){D(o,d,r);return}sf(),e.forward()}}return[T(n.invitation),h(n.invitationHow),...t.tokens.keys.length>1?[h(n.invitationKeys(t.tokens.keys.length))]:[],p("label",{htmlFor:r.id},n.invitation),r,i,o,A(y(n.back,()=>e.turnTo(void 0)),s)]}
function lf(e){let{state:t,resume:n}=e.draft;e.draft.state=()=>{let r=t();return{...r,kept:{...r.kept,token:Cr(e)}}},e.draft.resume=({token:r,...o})=>{r&&yn(e,{token:r}),n(o)}}
b({name:"tokens",shapes:Vu,validate:Qu,wrap:{openVisit:e=>t=>{lf(t),e(t)},redirectMove:af,renderEnding:e=>(t,n,r)=>(yn(r,void 0),e(t,n,r)),stamp:()=>Cr}});
