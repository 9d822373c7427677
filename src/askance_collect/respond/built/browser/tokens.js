var hs=65537n,
Wl=[2048,3072,4096],
Kl=16,
_l=32,
hr=48,
gs=48,
Gl=/^[\w-]+$/,
zl={tokens:j({issuer:/^(https:\/\/|http:\/\/(?=(localhost|127\.0\.0\.1)[:/]))([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*$/,keys:[j({name:Sn,n:/^[\w-]{342,683}$/,"codes?":[2,1e9]}),1,void 0,32]})};
function Vl({tokens:{issuer:e,keys:t},collector:n,about:{minimum:r=1}}){new URL(e),b(e!==n,"tokens.issuer"),b(we(t)&&v(t.map(({n:s})=>s))&&t.every(Ql),"tokens.keys"),b(t.every(({n:s})=>s.length===t[0].n.length),"tokens.keys");let o=({codes:s=0})=>Number.isInteger(r)&&s>0&&s>=r;b(t.every(({codes:s})=>s===void 0)||t.every(o),"tokens.keys.codes")}
function Ql(e){let t=dn(e);return Wl.includes(t.toString(2).length)&&t%2n===1n&&Xe(qe(t,t))===e.n}
var dn=({n:e})=>Ye(Re(e)),
Xe=e=>btoa(String.fromCharCode(...e)).replace(/\+/g,"-").replace(/\//g,"_").replace(/=/g,""),
Re=e=>Uint8Array.from(atob(e.replace(/-/g,"+").replace(/_/g,"/")),t=>t.charCodeAt(0)),
Ye=e=>BigInt(`0x${[...e].map(t=>t.toString(16).padStart(2,"0")).join("")}`);
function qe(e,t){let n=e.toString(16).padStart(Math.ceil(t.toString(16).length/2)*2,"0");return Uint8Array.from(n.match(/../g)??[],r=>Number.parseInt(r,16))}
function ws(e,t,n){let[r,o]=[1n,e];for(let s=t;s>0n;s>>=1n)s&1n&&(r=r*o%n),o=o*o%n;return r}
function bs(e,t){let[n,r,o,s]=[t,e,0n,1n];for(;r>0n;){let i=n/r;[n,r,o,s]=[r,n-i*r,s,o-i*s]}return n===1n?(o%t+t)%t:void 0}
var Et=(...e)=>Uint8Array.from(e.flatMap(t=>[...t])),
gr=async(...e)=>new Uint8Array(await crypto.subtle.digest("SHA-384",Et(...e)));
async function Jl(e,t){let n=[...Array(Math.ceil(t/gs)).keys()],r=await Promise.all(n.map(o=>gr(e,[0,0,0,o])));return Et(...r).slice(0,t)}
async function Zl(e,t,n){let r=new Uint8Array(qe(0n,n).length-gs-1);r[r.length-hr-1]=1,r.set(t,r.length-hr);let o=await gr(new Uint8Array(8),await gr(e),t),s=await Jl(o,r.length);return r.forEach((i,a)=>r[a]=i^s[a]),r[0]&=127,Ye(Et(r,o,[188]))}
var Xl=(e,t)=>Et(t,new TextEncoder().encode(`askance-token-1 ${e}`));
function Yl(e){let t;do t=Ye(Y(qe(0n,e).length));while(t>=e||bs(t,e)===void 0);return{prefix:Xe(Y(_l)),salt:Xe(Y(hr)),factor:Xe(qe(t,e))}}
async function ql(e,t,{prefix:n,salt:r,factor:o}){let s=dn(e),i=await Zl(Xl(t,Re(n)),Re(r),s),a=i*ws(Ye(Re(o)),hs,s)%s;return{encoded:i,hidden:Xe(qe(a,s))}}
function eu(e,t,n,r,{prefix:o,factor:s}){let i=dn(e);if(!Ue(r,Gl)||r.length!==e.n.length)return;let a=Ye(Re(r))*(bs(Ye(Re(s)),i)??0n)%i;if(ws(a,hs,i)===n)return Xe(Et([t],Re(o),qe(a,i)))}
var wr=({fingerprint:e})=>`askance-token:${e}`;
function br(e){try{return JSON.parse(sessionStorage.getItem(wr(e))??"null")??e.state.token}catch{return e.state.token}}
function ln(e,t){e.dispatch({type:"update",change:{token:t}});try{t?sessionStorage.setItem(wr(e),JSON.stringify(t)):sessionStorage.removeItem(wr(e))}catch{}}
var yr=e=>br(e)?.token??"";
async function tu(e,t){let{form:n,fingerprint:r,speech:{words:o}}=e,{issuer:s,keys:i}=n.tokens,a=Ge.indexOf(t[0]);if(t.length!==Kl||!i[a]||[...t].some(f=>!Ge.includes(f)))return o.invitationUnknown;let c=br(e),d=c?.code===t?c.drawn:Yl(dn(i[a]));ln(e,{code:t,drawn:d});let{encoded:u,hidden:l}=await ql(i[a],r,d);try{let f=await _e(new URL("sign",s),{method:"POST",body:JSON.stringify({blinded:l,code:t}),headers:{"Content-Type":"text/plain"}}),{signature:m,error:g}=await f.json();if(g)return nu(g.code,o);let k=eu(i[a],a,u,m,d);if(!k)return o.invitationForged;ln(e,{token:k});return}catch{return o.invitationFailed}}
function nu(e,t){return e==="unknown"?t.invitationUnknown:e==="exchanged"?t.invitationUsed:e==="wrong"?t.invitationForged:t.invitationFailed}
function ru(){return new URLSearchParams(location.hash.slice(1)).get("code")??""}
function ou(){let e=new URLSearchParams(location.hash.slice(1));e.delete("code"),history.replaceState(history.state,"",`${location.pathname}${location.search}${String(e)&&`#${e}`}`)}
var su=e=>(t,n)=>t.step<=0||yr(n)||n.draft.isBound()?e(t,n):e({type:"move",step:0,by:0,aside:iu},n),
iu={render:au};
function au(e){let{form:t,speech:{words:n}}=e,r=Kt(),o=P(),s=w(n.exchange,c,"main"),i=p("p",{role:"status"});r.value=br(e)?.code??ru(),r.setAttribute("aria-describedby",o.id),Te(r,o),r.addEventListener("input",a),a();function a(){let d=t.tokens.keys[Ge.indexOf(ht(r.value)[0])];i.textContent=d?d.codes?n.invitationCrowd(d.codes,d.name):n.invitationUncounted:""}async function c(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true");let d=await tu(e,ht(r.value));if(s.removeAttribute("aria-disabled"),!!s.isConnected){if(d){D(o,d,r);return}ou(),e.forward()}}return[O(n.invitation),h(n.invitationHow),...t.tokens.keys.length>1?[h(n.invitationKeys(t.tokens.keys.length))]:[],p("label",{htmlFor:r.id},n.invitation),r,i,o,S(w(n.back,()=>e.turnTo(void 0)),s)]}
function cu(e){let{state:t,resume:n}=e.draft;e.draft.state=()=>{let r=t();return{...r,kept:{...r.kept,token:yr(e)}}},e.draft.resume=({token:r,...o})=>{r&&ln(e,{token:r}),n(o)}}
y({name:"tokens",shapes:zl,validate:Vl,wrap:{openVisit:e=>t=>{cu(t),e(t)},redirectMove:su,renderEnding:e=>(t,n,r)=>(ln(r,void 0),e(t,n,r)),stamp:()=>yr}});
