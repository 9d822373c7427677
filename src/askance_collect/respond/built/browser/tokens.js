var xs=65537n,
tu=[2048,3072,4096],
nu=16,
ru=32,
br=48,
Ss=48,
ou=/^[\w-]+$/,
su={tokens:j({issuer:/^(https:\/\/|http:\/\/(?=(localhost|127\.0\.0\.1)[:/]))([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*$/,keys:[j({name:An,n:/^[\w-]{342,683}$/,"codes?":[2,1e9]}),1,void 0,32]})};
function iu({tokens:{issuer:e,keys:t},collector:n,about:{minimum:r=1}}){new URL(e),w(e!==n,"tokens.issuer"),w(we(t)&&B(t.map(({n:s})=>s))&&t.every(au),"tokens.keys"),w(t.every(({n:s})=>s.length===t[0].n.length),"tokens.keys");let o=({codes:s=0})=>Number.isInteger(r)&&s>0&&s>=r;w(t.every(({codes:s})=>s===void 0)||t.every(o),"tokens.keys.codes")}
function au(e){let t=un(e);return tu.includes(t.toString(2).length)&&t%2n===1n&&et(nt(t,t))===e.n}
var un=({n:e})=>tt(ve(e)),
et=e=>btoa(String.fromCharCode(...e)).replace(/\+/g,"-").replace(/\//g,"_").replace(/=/g,""),
ve=e=>Uint8Array.from(atob(e.replace(/-/g,"+").replace(/_/g,"/")),t=>t.charCodeAt(0)),
tt=e=>BigInt(`0x${[...e].map(t=>t.toString(16).padStart(2,"0")).join("")}`);
function nt(e,t){let n=e.toString(16).padStart(Math.ceil(t.toString(16).length/2)*2,"0");return Uint8Array.from(n.match(/../g)??[],r=>Number.parseInt(r,16))}
function Os(e,t,n){let[r,o]=[1n,e];for(let s=t;s>0n;s>>=1n)s&1n&&(r=r*o%n),o=o*o%n;return r}
function As(e,t){let[n,r,o,s]=[t,e,0n,1n];for(;r>0n;){let i=n/r;[n,r,o,s]=[r,n-i*r,s,o-i*s]}return n===1n?(o%t+t)%t:void 0}
var Tt=(...e)=>Uint8Array.from(e.flatMap(t=>[...t])),
yr=async(...e)=>new Uint8Array(await crypto.subtle.digest("SHA-384",Tt(...e)));
async function cu(e,t){let n=[...Array(Math.ceil(t/Ss)).keys()],r=await Promise.all(n.map(o=>yr(e,[0,0,0,o])));return Tt(...r).slice(0,t)}
async function du(e,t,n){let r=new Uint8Array(nt(0n,n).length-Ss-1);r[r.length-br-1]=1,r.set(t,r.length-br);let o=await yr(new Uint8Array(8),await yr(e),t),s=await cu(o,r.length);return r.forEach((i,a)=>r[a]=i^s[a]),r[0]&=127,tt(Tt(r,o,[188]))}
var lu=(e,t)=>Tt(t,new TextEncoder().encode(`askance-token-1 ${e}`));
function uu(e){let t;do t=tt(Y(nt(0n,e).length));while(t>=e||As(t,e)===void 0);return{prefix:et(Y(ru)),salt:et(Y(br)),factor:et(nt(t,e))}}
async function fu(e,t,{prefix:n,salt:r,factor:o}){let s=un(e),i=await du(lu(t,ve(n)),ve(r),s),a=i*Os(tt(ve(o)),xs,s)%s;return{encoded:i,hidden:et(nt(a,s))}}
function pu(e,t,n,r,{prefix:o,factor:s}){let i=un(e);if(!Ke(r,ou)||r.length!==e.n.length)return;let a=tt(ve(r))*(As(tt(ve(s)),i)??0n)%i;if(Os(a,xs,i)===n)return et(Tt([t],ve(o),nt(a,i)))}
var kr=({fingerprint:e})=>`askance-token:${e}`;
function xr(e){try{return JSON.parse(sessionStorage.getItem(kr(e))??"null")??e.state.token}catch{return e.state.token}}
function fn(e,t){e.dispatch({type:"update",change:{token:t}});try{t?sessionStorage.setItem(kr(e),JSON.stringify(t)):sessionStorage.removeItem(kr(e))}catch{}}
var Sr=e=>xr(e)?.token??"";
async function mu(e,t){let{form:n,fingerprint:r,speech:{words:o}}=e,{issuer:s,keys:i}=n.tokens,a=Qe.indexOf(t[0]);if(t.length!==nu||!i[a]||[...t].some(f=>!Qe.includes(f)))return o.invitationUnknown;let c=xr(e),d=c?.code===t?c.drawn:uu(un(i[a]));fn(e,{code:t,drawn:d});let{encoded:u,hidden:l}=await fu(i[a],r,d);try{let f=await Ve(new URL("sign",s),{method:"POST",body:JSON.stringify({blinded:l,code:t}),headers:{"Content-Type":"text/plain"}}),{signature:p,error:g}=await f.json();if(g)return hu(g.code,o);let k=pu(i[a],a,u,p,d);if(!k)return o.invitationForged;fn(e,{token:k});return}catch{return o.invitationFailed}}
function hu(e,t){return e==="unknown"?t.invitationUnknown:e==="exchanged"?t.invitationUsed:e==="wrong"?t.invitationForged:t.invitationFailed}
function gu(){return new URLSearchParams(location.hash.slice(1)).get("code")??""}
function wu(){let e=new URLSearchParams(location.hash.slice(1));e.delete("code"),history.replaceState(history.state,"",`${location.pathname}${location.search}${String(e)&&`#${e}`}`)}
var bu=e=>(t,n)=>t.step<=0||Sr(n)||n.draft.isBound()?e(t,n):e({type:"move",step:0,by:0,aside:yu},n),
yu={render:ku};
function ku(e){let{form:t,speech:{words:n}}=e,r=Gt(),o=D(),s=b(n.exchange,c,"main"),i=m("p",{role:"status"});r.value=xr(e)?.code??gu(),r.setAttribute("aria-describedby",o.id),Le(r,o),r.addEventListener("input",a),a();function a(){let d=t.tokens.keys[Qe.indexOf(gt(r.value)[0])];i.textContent=d?d.codes?n.invitationCrowd(d.codes,d.name):n.invitationUncounted:""}async function c(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true");let d=await mu(e,gt(r.value));if(s.removeAttribute("aria-disabled"),!!s.isConnected){if(d){F(o,d,r);return}wu(),e.forward()}}return[A(n.invitation),h(n.invitationHow),...t.tokens.keys.length>1?[h(n.invitationKeys(t.tokens.keys.length))]:[],m("label",{htmlFor:r.id},n.invitation),r,i,o,S(b(n.back,()=>e.turnTo(void 0)),s)]}
function xu(e){let{state:t,resume:n}=e.draft;e.draft.state=()=>{let r=t();return{...r,kept:{...r.kept,token:Sr(e)}}},e.draft.resume=({token:r,...o})=>{r&&fn(e,{token:r}),n(o)}}
y({name:"tokens",shapes:su,validate:iu,wrap:{openVisit:e=>t=>{xu(t),e(t)},redirectMove:bu,renderEnding:e=>(t,n,r)=>(fn(r,void 0),e(t,n,r)),stamp:()=>Sr}});
