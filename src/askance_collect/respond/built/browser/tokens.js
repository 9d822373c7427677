var Fs=65537n,
Fu=[2048,3072,4096],
Mu=16,
Du=32,
Ir=48,
Ms=48,
Uu=/^[\w-]+$/,
Wu={tokens:B({issuer:/^(https:\/\/|http:\/\/(?=(localhost|127\.0\.0\.1)[:/]))([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*$/,keys:[B({name:$n,n:/^[\w-]{342,683}$/,"codes?":[2,1e9]}),1,void 0,32]})};
function _u({tokens:{issuer:e,keys:t},collector:n,about:{minimum:r=1}}){new URL(e),w(e!==n,"tokens.issuer"),w(Se(t)&&P(t.map(({n:s})=>s))&&t.every(Ku),"tokens.keys"),w(t.every(({n:s})=>s.length===t[0].n.length),"tokens.keys");let o=({codes:s=0})=>Number.isInteger(r)&&s>0&&s>=r;w(t.every(({codes:s})=>s===void 0)||t.every(o),"tokens.keys.codes")}
function Ku(e){let t=gn(e);return Fu.includes(t.toString(2).length)&&t%2n===1n&&rt(st(t,t))===e.n}
var gn=({n:e})=>ot(He(e)),
rt=e=>btoa(String.fromCharCode(...e)).replace(/\+/g,"-").replace(/\//g,"_").replace(/=/g,""),
He=e=>Uint8Array.from(atob(e.replace(/-/g,"+").replace(/_/g,"/")),t=>t.charCodeAt(0)),
ot=e=>BigInt(`0x${[...e].map(t=>t.toString(16).padStart(2,"0")).join("")}`);
function st(e,t){let n=e.toString(16).padStart(Math.ceil(t.toString(16).length/2)*2,"0");return Uint8Array.from(n.match(/../g)??[],r=>Number.parseInt(r,16))}
function Ds(e,t,n){let[r,o]=[1n,e];for(let s=t;s>0n;s>>=1n)s&1n&&(r=r*o%n),o=o*o%n;return r}
function Us(e,t){let[n,r,o,s]=[t,e,0n,1n];for(;r>0n;){let i=n/r;[n,r,o,s]=[r,n-i*r,s,o-i*s]}return n===1n?(o%t+t)%t:void 0}
var $t=(...e)=>Uint8Array.from(e.flatMap(t=>[...t])),
$r=async(...e)=>new Uint8Array(await crypto.subtle.digest("SHA-384",$t(...e)));
async function Gu(e,t){let n=[...Array(Math.ceil(t/Ms)).keys()],r=await Promise.all(n.map(o=>$r(e,[0,0,0,o])));return $t(...r).slice(0,t)}
async function zu(e,t,n){let r=new Uint8Array(st(0n,n).length-Ms-1);r[r.length-Ir-1]=1,r.set(t,r.length-Ir);let o=await $r(new Uint8Array(8),await $r(e),t),s=await Gu(o,r.length);return r.forEach((i,a)=>r[a]=i^s[a]),r[0]&=127,ot($t(r,o,[188]))}
var Vu=(e,t)=>$t(t,new TextEncoder().encode(`askance-token-1 ${e}`));
function Qu(e){let t;do t=ot(ee(st(0n,e).length));while(t>=e||Us(t,e)===void 0);return{prefix:rt(ee(Du)),salt:rt(ee(Ir)),factor:rt(st(t,e))}}
async function Ju(e,t,{prefix:n,salt:r,factor:o}){let s=gn(e),i=await zu(Vu(t,He(n)),He(r),s),a=i*Ds(ot(He(o)),Fs,s)%s;return{encoded:i,hidden:rt(st(a,s))}}
function Zu(e,t,n,r,{prefix:o,factor:s}){let i=gn(e);if(!Ge(r,Uu)||r.length!==e.n.length)return;let a=ot(He(r))*(Us(ot(He(s)),i)??0n)%i;if(Ds(a,Fs,i)===n)return rt($t([t],He(o),st(a,i)))}
var Cr=({fingerprint:e})=>`askance-token:${e}`;
function Rr(e){try{return JSON.parse(sessionStorage.getItem(Cr(e))??"null")??e.state.token}catch{return e.state.token}}
function wn(e,t){e.dispatch({type:"update",change:{token:t}});try{t?sessionStorage.setItem(Cr(e),JSON.stringify(t)):sessionStorage.removeItem(Cr(e))}catch{}}
var jr=e=>Rr(e)?.token??"";
async function Xu(e,t){let{form:n,fingerprint:r,speech:{words:o}}=e,{issuer:s,keys:i}=n.tokens,a=Xe.indexOf(t[0]);if(t.length!==Mu||!i[a]||[...t].some(f=>!Xe.includes(f)))return o.invitationUnknown;let c=Rr(e),d=c?.code===t?c.drawn:Qu(gn(i[a]));wn(e,{code:t,drawn:d});let{encoded:u,hidden:l}=await Ju(i[a],r,d);try{let f=await Ze(new URL("sign",s),{method:"POST",body:JSON.stringify({blinded:l,code:t}),headers:{"Content-Type":"text/plain"}}),{signature:m,error:g}=await f.json();if(g)return Yu(g.code,o);let k=Zu(i[a],a,u,m,d);if(!k)return o.invitationForged;wn(e,{token:k});return}catch{return o.invitationFailed}}
function Yu(e,t){return e==="unknown"?t.invitationUnknown:e==="exchanged"?t.invitationUsed:e==="wrong"?t.invitationForged:t.invitationFailed}
function qu(){return new URLSearchParams(location.hash.slice(1)).get("code")??""}
function ef(){let e=new URLSearchParams(location.hash.slice(1));e.delete("code"),history.replaceState(history.state,"",`${location.pathname}${location.search}${String(e)&&`#${e}`}`)}
var tf=e=>(t,n)=>t.step<=0||jr(n)||n.draft.isBound()?e(t,n):e({type:"move",step:0,by:0,aside:nf},n),
nf={render:rf};
function rf(e){let{form:t,speech:{words:n}}=e,r=Vt(),o=M(),s=y(n.exchange,c,"main"),i=p("p",{role:"status"});r.value=Rr(e)?.code??qu(),r.setAttribute("aria-describedby",o.id),Ce(r,o),r.addEventListener("input",a),a();function a(){let d=t.tokens.keys[Xe.indexOf(bt(r.value)[0])];i.textContent=d?d.codes?n.invitationCrowd(d.codes,d.name):n.invitationUncounted:""}async function c(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true");let d=await Xu(e,bt(r.value));if(s.removeAttribute("aria-disabled"),!!s.isConnected){if(d){D(o,d,r);return}ef(),e.forward()}}return[N(n.invitation),h(n.invitationHow),...t.tokens.keys.length>1?[h(n.invitationKeys(t.tokens.keys.length))]:[],p("label",{htmlFor:r.id},n.invitation),r,i,o,S(y(n.back,()=>e.turnTo(void 0)),s)]}
function of(e){let{state:t,resume:n}=e.draft;e.draft.state=()=>{let r=t();return{...r,kept:{...r.kept,token:jr(e)}}},e.draft.resume=({token:r,...o})=>{r&&wn(e,{token:r}),n(o)}}
b({name:"tokens",shapes:Wu,validate:_u,wrap:{openVisit:e=>t=>{of(t),e(t)},redirectMove:tf,renderEnding:e=>(t,n,r)=>(wn(r,void 0),e(t,n,r)),stamp:()=>jr}});
