var bs=65537n,
Gl=[2048,3072,4096],
zl=16,
Vl=32,
hr=48,
ys=48,
Ql=/^[\w-]+$/,
Jl={tokens:j({issuer:/^(https:\/\/|http:\/\/(?=(localhost|127\.0\.0\.1)[:/]))([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*$/,keys:[j({name:Sn,n:/^[\w-]{342,683}$/,"codes?":[2,1e9]}),1,void 0,32]})};
function Zl({tokens:{issuer:e,keys:t},collector:n,about:{minimum:r=1}}){new URL(e),b(e!==n,"tokens.issuer"),b(ge(t)&&v(t.map(({n:s})=>s))&&t.every(Xl),"tokens.keys"),b(t.every(({n:s})=>s.length===t[0].n.length),"tokens.keys");let o=({codes:s=0})=>Number.isInteger(r)&&s>0&&s>=r;b(t.every(({codes:s})=>s===void 0)||t.every(o),"tokens.keys.codes")}
function Xl(e){let t=dn(e);return Gl.includes(t.toString(2).length)&&t%2n===1n&&Xe(qe(t,t))===e.n}
var dn=({n:e})=>Ye($e(e)),
Xe=e=>btoa(String.fromCharCode(...e)).replace(/\+/g,"-").replace(/\//g,"_").replace(/=/g,""),
$e=e=>Uint8Array.from(atob(e.replace(/-/g,"+").replace(/_/g,"/")),t=>t.charCodeAt(0)),
Ye=e=>BigInt(`0x${[...e].map(t=>t.toString(16).padStart(2,"0")).join("")}`);
function qe(e,t){let n=e.toString(16).padStart(Math.ceil(t.toString(16).length/2)*2,"0");return Uint8Array.from(n.match(/../g)??[],r=>Number.parseInt(r,16))}
function ks(e,t,n){let[r,o]=[1n,e];for(let s=t;s>0n;s>>=1n)s&1n&&(r=r*o%n),o=o*o%n;return r}
function xs(e,t){let[n,r,o,s]=[t,e,0n,1n];for(;r>0n;){let i=n/r;[n,r,o,s]=[r,n-i*r,s,o-i*s]}return n===1n?(o%t+t)%t:void 0}
var Et=(...e)=>Uint8Array.from(e.flatMap(t=>[...t])),
gr=async(...e)=>new Uint8Array(await crypto.subtle.digest("SHA-384",Et(...e)));
async function Yl(e,t){let n=[...Array(Math.ceil(t/ys)).keys()],r=await Promise.all(n.map(o=>gr(e,[0,0,0,o])));return Et(...r).slice(0,t)}
async function ql(e,t,n){let r=new Uint8Array(qe(0n,n).length-ys-1);r[r.length-hr-1]=1,r.set(t,r.length-hr);let o=await gr(new Uint8Array(8),await gr(e),t),s=await Yl(o,r.length);return r.forEach((i,a)=>r[a]=i^s[a]),r[0]&=127,Ye(Et(r,o,[188]))}
var eu=(e,t)=>Et(t,new TextEncoder().encode(`askance-token-1 ${e}`));
function tu(e){let t;do t=Ye(X(qe(0n,e).length));while(t>=e||xs(t,e)===void 0);return{prefix:Xe(X(Vl)),salt:Xe(X(hr)),factor:Xe(qe(t,e))}}
async function nu(e,t,{prefix:n,salt:r,factor:o}){let s=dn(e),i=await ql(eu(t,$e(n)),$e(r),s),a=i*ks(Ye($e(o)),bs,s)%s;return{encoded:i,hidden:Xe(qe(a,s))}}
function ru(e,t,n,r,{prefix:o,factor:s}){let i=dn(e);if(!Ue(r,Ql)||r.length!==e.n.length)return;let a=Ye($e(r))*(xs(Ye($e(s)),i)??0n)%i;if(ks(a,bs,i)===n)return Xe(Et([t],$e(o),qe(a,i)))}
var wr=({fingerprint:e})=>`askance-token:${e}`;
function br(e){try{return JSON.parse(sessionStorage.getItem(wr(e))??"null")??e.state.token}catch{return e.state.token}}
function ln(e,t){e.dispatch({type:"update",change:{token:t}});try{t?sessionStorage.setItem(wr(e),JSON.stringify(t)):sessionStorage.removeItem(wr(e))}catch{}}
var yr=e=>br(e)?.token??"";
async function ou(e,t){let{form:n,fingerprint:r,speech:{words:o}}=e,{issuer:s,keys:i}=n.tokens,a=Ge.indexOf(t[0]);if(t.length!==zl||!i[a]||[...t].some(f=>!Ge.includes(f)))return o.invitationUnknown;let c=br(e),d=c?.code===t?c.drawn:tu(dn(i[a]));ln(e,{code:t,drawn:d});let{encoded:u,hidden:l}=await nu(i[a],r,d);try{let f=await _e(new URL("sign",s),{method:"POST",body:JSON.stringify({blinded:l,code:t}),headers:{"Content-Type":"text/plain"}}),{signature:m,error:g}=await f.json();if(g)return su(g.code,o);let k=ru(i[a],a,u,m,d);if(!k)return o.invitationForged;ln(e,{token:k});return}catch{return o.invitationFailed}}
function su(e,t){return e==="unknown"?t.invitationUnknown:e==="exchanged"?t.invitationUsed:e==="wrong"?t.invitationForged:t.invitationFailed}
function iu(){return new URLSearchParams(location.hash.slice(1)).get("code")??""}
function au(){let e=new URLSearchParams(location.hash.slice(1));e.delete("code"),history.replaceState(history.state,"",`${location.pathname}${location.search}${String(e)&&`#${e}`}`)}
var cu=e=>(t,n)=>t.step<=0||yr(n)||n.draft.isBound()?e(t,n):e({type:"move",step:0,by:0,aside:du},n),
du={render:lu};
function lu(e){let{form:t,speech:{words:n}}=e,r=Kt(),o=P(),s=w(n.exchange,c,"main"),i=p("p",{role:"status"});r.value=br(e)?.code??iu(),r.setAttribute("aria-describedby",o.id),Ne(r,o),r.addEventListener("input",a),a();function a(){let d=t.tokens.keys[Ge.indexOf(ht(r.value)[0])];i.textContent=d?d.codes?n.invitationCrowd(d.codes,d.name):n.invitationUncounted:""}async function c(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true");let d=await ou(e,ht(r.value));if(s.removeAttribute("aria-disabled"),!!s.isConnected){if(d){D(o,d,r);return}au(),e.forward()}}return[O(n.invitation),h(n.invitationHow),...t.tokens.keys.length>1?[h(n.invitationKeys(t.tokens.keys.length))]:[],p("label",{htmlFor:r.id},n.invitation),r,i,o,S(w(n.back,()=>e.turnTo(void 0)),s)]}
function uu(e){let{state:t,resume:n}=e.draft;e.draft.state=()=>{let r=t();return{...r,kept:{...r.kept,token:yr(e)}}},e.draft.resume=({token:r,...o})=>{r&&ln(e,{token:r}),n(o)}}
y({name:"tokens",shapes:Jl,validate:Zl,wrap:{openVisit:e=>t=>{uu(t),e(t)},redirectMove:cu,renderEnding:e=>(t,n,r)=>(ln(r,void 0),e(t,n,r)),stamp:()=>yr}});
