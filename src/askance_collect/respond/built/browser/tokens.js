var xs=65537n,
Jl=[2048,3072,4096],
Zl=16,
Xl=32,
wr=48,
Ss=48,
Yl=/^[\w-]+$/,
ql={tokens:B({issuer:/^(https:\/\/|http:\/\/(?=(localhost|127\.0\.0\.1)[:/]))([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*$/,keys:[B({name:An,n:/^[\w-]{342,683}$/,"codes?":[2,1e9]}),1,void 0,32]})};
function eu({tokens:{issuer:e,keys:t},collector:n,about:{minimum:r=1}}){new URL(e),w(e!==n,"tokens.issuer"),w(ge(t)&&j(t.map(({n:s})=>s))&&t.every(tu),"tokens.keys"),w(t.every(({n:s})=>s.length===t[0].n.length),"tokens.keys");let o=({codes:s=0})=>Number.isInteger(r)&&s>0&&s>=r;w(t.every(({codes:s})=>s===void 0)||t.every(o),"tokens.keys.codes")}
function tu(e){let t=un(e);return Jl.includes(t.toString(2).length)&&t%2n===1n&&qe(tt(t,t))===e.n}
var un=({n:e})=>et(Re(e)),
qe=e=>btoa(String.fromCharCode(...e)).replace(/\+/g,"-").replace(/\//g,"_").replace(/=/g,""),
Re=e=>Uint8Array.from(atob(e.replace(/-/g,"+").replace(/_/g,"/")),t=>t.charCodeAt(0)),
et=e=>BigInt(`0x${[...e].map(t=>t.toString(16).padStart(2,"0")).join("")}`);
function tt(e,t){let n=e.toString(16).padStart(Math.ceil(t.toString(16).length/2)*2,"0");return Uint8Array.from(n.match(/../g)??[],r=>Number.parseInt(r,16))}
function Os(e,t,n){let[r,o]=[1n,e];for(let s=t;s>0n;s>>=1n)s&1n&&(r=r*o%n),o=o*o%n;return r}
function As(e,t){let[n,r,o,s]=[t,e,0n,1n];for(;r>0n;){let i=n/r;[n,r,o,s]=[r,n-i*r,s,o-i*s]}return n===1n?(o%t+t)%t:void 0}
var Tt=(...e)=>Uint8Array.from(e.flatMap(t=>[...t])),
br=async(...e)=>new Uint8Array(await crypto.subtle.digest("SHA-384",Tt(...e)));
async function nu(e,t){let n=[...Array(Math.ceil(t/Ss)).keys()],r=await Promise.all(n.map(o=>br(e,[0,0,0,o])));return Tt(...r).slice(0,t)}
async function ru(e,t,n){let r=new Uint8Array(tt(0n,n).length-Ss-1);r[r.length-wr-1]=1,r.set(t,r.length-wr);let o=await br(new Uint8Array(8),await br(e),t),s=await nu(o,r.length);return r.forEach((i,a)=>r[a]=i^s[a]),r[0]&=127,et(Tt(r,o,[188]))}
var ou=(e,t)=>Tt(t,new TextEncoder().encode(`askance-token-1 ${e}`));
function su(e){let t;do t=et(X(tt(0n,e).length));while(t>=e||As(t,e)===void 0);return{prefix:qe(X(Xl)),salt:qe(X(wr)),factor:qe(tt(t,e))}}
async function iu(e,t,{prefix:n,salt:r,factor:o}){let s=un(e),i=await ru(ou(t,Re(n)),Re(r),s),a=i*Os(et(Re(o)),xs,s)%s;return{encoded:i,hidden:qe(tt(a,s))}}
function au(e,t,n,r,{prefix:o,factor:s}){let i=un(e);if(!We(r,Yl)||r.length!==e.n.length)return;let a=et(Re(r))*(As(et(Re(s)),i)??0n)%i;if(Os(a,xs,i)===n)return qe(Tt([t],Re(o),tt(a,i)))}
var yr=({fingerprint:e})=>`askance-token:${e}`;
function kr(e){try{return JSON.parse(sessionStorage.getItem(yr(e))??"null")??e.state.token}catch{return e.state.token}}
function fn(e,t){e.dispatch({type:"update",change:{token:t}});try{t?sessionStorage.setItem(yr(e),JSON.stringify(t)):sessionStorage.removeItem(yr(e))}catch{}}
var xr=e=>kr(e)?.token??"";
async function cu(e,t){let{form:n,fingerprint:r,speech:{words:o}}=e,{issuer:s,keys:i}=n.tokens,a=Ve.indexOf(t[0]);if(t.length!==Zl||!i[a]||[...t].some(f=>!Ve.includes(f)))return o.invitationUnknown;let c=kr(e),d=c?.code===t?c.drawn:su(un(i[a]));fn(e,{code:t,drawn:d});let{encoded:u,hidden:l}=await iu(i[a],r,d);try{let f=await ze(new URL("sign",s),{method:"POST",body:JSON.stringify({blinded:l,code:t}),headers:{"Content-Type":"text/plain"}}),{signature:m,error:g}=await f.json();if(g)return du(g.code,o);let y=au(i[a],a,u,m,d);if(!y)return o.invitationForged;fn(e,{token:y});return}catch{return o.invitationFailed}}
function du(e,t){return e==="unknown"?t.invitationUnknown:e==="exchanged"?t.invitationUsed:e==="wrong"?t.invitationForged:t.invitationFailed}
function lu(){return new URLSearchParams(location.hash.slice(1)).get("code")??""}
function uu(){let e=new URLSearchParams(location.hash.slice(1));e.delete("code"),history.replaceState(history.state,"",`${location.pathname}${location.search}${String(e)&&`#${e}`}`)}
var fu=e=>(t,n)=>t.step<=0||xr(n)||n.draft.isBound()?e(t,n):e({type:"move",step:0,by:0,aside:pu},n),
pu={render:mu};
function mu(e){let{form:t,speech:{words:n}}=e,r=Gt(),o=F(),s=b(n.exchange,c,"main"),i=p("p",{role:"status"});r.value=kr(e)?.code??lu(),r.setAttribute("aria-describedby",o.id),Te(r,o),r.addEventListener("input",a),a();function a(){let d=t.tokens.keys[Ve.indexOf(gt(r.value)[0])];i.textContent=d?d.codes?n.invitationCrowd(d.codes,d.name):n.invitationUncounted:""}async function c(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true");let d=await cu(e,gt(r.value));if(s.removeAttribute("aria-disabled"),!!s.isConnected){if(d){D(o,d,r);return}uu(),e.forward()}}return[A(n.invitation),h(n.invitationHow),...t.tokens.keys.length>1?[h(n.invitationKeys(t.tokens.keys.length))]:[],p("label",{htmlFor:r.id},n.invitation),r,i,o,S(b(n.back,()=>e.turnTo(void 0)),s)]}
function hu(e){let{state:t,resume:n}=e.draft;e.draft.state=()=>{let r=t();return{...r,kept:{...r.kept,token:xr(e)}}},e.draft.resume=({token:r,...o})=>{r&&fn(e,{token:r}),n(o)}}
k({name:"tokens",shapes:ql,validate:eu,wrap:{openVisit:e=>t=>{hu(t),e(t)},redirectMove:fu,renderEnding:e=>(t,n,r)=>(fn(r,void 0),e(t,n,r)),stamp:()=>xr}});
var bs=65537n,
Vl=[2048,3072,4096],
Ql=16,
Jl=32,
gr=48,
ys=48,
Zl=/^[\w-]+$/,
Xl={tokens:j({issuer:/^(https:\/\/|http:\/\/(?=(localhost|127\.0\.0\.1)[:/]))([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*$/,keys:[j({name:Sn,n:/^[\w-]{342,683}$/,"codes?":[2,1e9]}),1,void 0,32]})};
function Yl({tokens:{issuer:e,keys:t},collector:n,about:{minimum:r=1}}){new URL(e),b(e!==n,"tokens.issuer"),b(we(t)&&v(t.map(({n:s})=>s))&&t.every(ql),"tokens.keys"),b(t.every(({n:s})=>s.length===t[0].n.length),"tokens.keys");let o=({codes:s=0})=>Number.isInteger(r)&&s>0&&s>=r;b(t.every(({codes:s})=>s===void 0)||t.every(o),"tokens.keys.codes")}
function ql(e){let t=dn(e);return Vl.includes(t.toString(2).length)&&t%2n===1n&&Xe(qe(t,t))===e.n}
var dn=({n:e})=>Ye($e(e)),
Xe=e=>btoa(String.fromCharCode(...e)).replace(/\+/g,"-").replace(/\//g,"_").replace(/=/g,""),
$e=e=>Uint8Array.from(atob(e.replace(/-/g,"+").replace(/_/g,"/")),t=>t.charCodeAt(0)),
Ye=e=>BigInt(`0x${[...e].map(t=>t.toString(16).padStart(2,"0")).join("")}`);
function qe(e,t){let n=e.toString(16).padStart(Math.ceil(t.toString(16).length/2)*2,"0");return Uint8Array.from(n.match(/../g)??[],r=>Number.parseInt(r,16))}
function ks(e,t,n){let[r,o]=[1n,e];for(let s=t;s>0n;s>>=1n)s&1n&&(r=r*o%n),o=o*o%n;return r}
function xs(e,t){let[n,r,o,s]=[t,e,0n,1n];for(;r>0n;){let i=n/r;[n,r,o,s]=[r,n-i*r,s,o-i*s]}return n===1n?(o%t+t)%t:void 0}
var Et=(...e)=>Uint8Array.from(e.flatMap(t=>[...t])),
wr=async(...e)=>new Uint8Array(await crypto.subtle.digest("SHA-384",Et(...e)));
async function eu(e,t){let n=[...Array(Math.ceil(t/ys)).keys()],r=await Promise.all(n.map(o=>wr(e,[0,0,0,o])));return Et(...r).slice(0,t)}
async function tu(e,t,n){let r=new Uint8Array(qe(0n,n).length-ys-1);r[r.length-gr-1]=1,r.set(t,r.length-gr);let o=await wr(new Uint8Array(8),await wr(e),t),s=await eu(o,r.length);return r.forEach((i,a)=>r[a]=i^s[a]),r[0]&=127,Ye(Et(r,o,[188]))}
var nu=(e,t)=>Et(t,new TextEncoder().encode(`askance-token-1 ${e}`));
function ru(e){let t;do t=Ye(X(qe(0n,e).length));while(t>=e||xs(t,e)===void 0);return{prefix:Xe(X(Jl)),salt:Xe(X(gr)),factor:Xe(qe(t,e))}}
async function ou(e,t,{prefix:n,salt:r,factor:o}){let s=dn(e),i=await tu(nu(t,$e(n)),$e(r),s),a=i*ks(Ye($e(o)),bs,s)%s;return{encoded:i,hidden:Xe(qe(a,s))}}
function su(e,t,n,r,{prefix:o,factor:s}){let i=dn(e);if(!Me(r,Zl)||r.length!==e.n.length)return;let a=Ye($e(r))*(xs(Ye($e(s)),i)??0n)%i;if(ks(a,bs,i)===n)return Xe(Et([t],$e(o),qe(a,i)))}
var br=({fingerprint:e})=>`askance-token:${e}`;
function yr(e){try{return JSON.parse(sessionStorage.getItem(br(e))??"null")??e.state.token}catch{return e.state.token}}
function ln(e,t){e.dispatch({type:"update",change:{token:t}});try{t?sessionStorage.setItem(br(e),JSON.stringify(t)):sessionStorage.removeItem(br(e))}catch{}}
var kr=e=>yr(e)?.token??"";
async function iu(e,t){let{form:n,fingerprint:r,speech:{words:o}}=e,{issuer:s,keys:i}=n.tokens,a=Ge.indexOf(t[0]);if(t.length!==Ql||!i[a]||[...t].some(f=>!Ge.includes(f)))return o.invitationUnknown;let c=yr(e),d=c?.code===t?c.drawn:ru(dn(i[a]));ln(e,{code:t,drawn:d});let{encoded:u,hidden:l}=await ou(i[a],r,d);try{let f=await _e(new URL("sign",s),{method:"POST",body:JSON.stringify({blinded:l,code:t}),headers:{"Content-Type":"text/plain"}}),{signature:p,error:g}=await f.json();if(g)return au(g.code,o);let k=su(i[a],a,u,p,d);if(!k)return o.invitationForged;ln(e,{token:k});return}catch{return o.invitationFailed}}
function au(e,t){return e==="unknown"?t.invitationUnknown:e==="exchanged"?t.invitationUsed:e==="wrong"?t.invitationForged:t.invitationFailed}
function cu(){return new URLSearchParams(location.hash.slice(1)).get("code")??""}
function du(){let e=new URLSearchParams(location.hash.slice(1));e.delete("code"),history.replaceState(history.state,"",`${location.pathname}${location.search}${String(e)&&`#${e}`}`)}
var lu=e=>(t,n)=>t.step<=0||kr(n)||n.draft.isBound()?e(t,n):e({type:"move",step:0,by:0,aside:uu},n),
uu={render:fu};
function fu(e){let{form:t,speech:{words:n}}=e,r=Kt(),o=P(),s=w(n.exchange,c,"main"),i=m("p",{role:"status"});r.value=yr(e)?.code??cu(),r.setAttribute("aria-describedby",o.id),Te(r,o),r.addEventListener("input",a),a();function a(){let d=t.tokens.keys[Ge.indexOf(ht(r.value)[0])];i.textContent=d?d.codes?n.invitationCrowd(d.codes,d.name):n.invitationUncounted:""}async function c(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true");let d=await iu(e,ht(r.value));if(s.removeAttribute("aria-disabled"),!!s.isConnected){if(d){D(o,d,r);return}du(),e.forward()}}return[O(n.invitation),h(n.invitationHow),...t.tokens.keys.length>1?[h(n.invitationKeys(t.tokens.keys.length))]:[],m("label",{htmlFor:r.id},n.invitation),r,i,o,S(w(n.back,()=>e.turnTo(void 0)),s)]}
function pu(e){let{state:t,resume:n}=e.draft;e.draft.state=()=>{let r=t();return{...r,kept:{...r.kept,token:kr(e)}}},e.draft.resume=({token:r,...o})=>{r&&ln(e,{token:r}),n(o)}}
y({name:"tokens",shapes:Xl,validate:Yl,wrap:{openVisit:e=>t=>{pu(t),e(t)},redirectMove:lu,renderEnding:e=>(t,n,r)=>(ln(r,void 0),e(t,n,r)),stamp:()=>kr}});
