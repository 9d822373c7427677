var as=65537n,
Rl=[2048,3072,4096],
jl=16,
vl=32,
fr=48,
cs=48,
Bl=/^[\w-]+$/,
Hl={tokens:v({issuer:/^(https:\/\/|http:\/\/(?=(localhost|127\.0\.0\.1)[:/]))([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*$/,keys:[v({name:xn,n:/^[\w-]{342,683}$/,"codes?":[2,1e9]}),1,void 0,32]})};
function Pl({tokens:{issuer:e,keys:t},collector:n,about:{minimum:r=1}}){new URL(e),b(e!==n,"tokens.issuer"),b(ge(t)&&j(t.map(({n:s})=>s))&&t.every(Dl),"tokens.keys"),b(t.every(({n:s})=>s.length===t[0].n.length),"tokens.keys");let o=({codes:s=0})=>Number.isInteger(r)&&s>0&&s>=r;b(t.every(({codes:s})=>s===void 0)||t.every(o),"tokens.keys.codes")}
function Dl(e){let t=dn(e);return Rl.includes(t.toString(2).length)&&t%2n===1n&&Ze(Ye(t,t))===e.n}
var dn=({n:e})=>Xe($e(e)),
Ze=e=>btoa(String.fromCharCode(...e)).replace(/\+/g,"-").replace(/\//g,"_").replace(/=/g,""),
$e=e=>Uint8Array.from(atob(e.replace(/-/g,"+").replace(/_/g,"/")),t=>t.charCodeAt(0)),
Xe=e=>BigInt(`0x${[...e].map(t=>t.toString(16).padStart(2,"0")).join("")}`);
function Ye(e,t){let n=e.toString(16).padStart(Math.ceil(t.toString(16).length/2)*2,"0");return Uint8Array.from(n.match(/../g)??[],r=>Number.parseInt(r,16))}
function ds(e,t,n){let[r,o]=[1n,e];for(let s=t;s>0n;s>>=1n)s&1n&&(r=r*o%n),o=o*o%n;return r}
function ls(e,t){let[n,r,o,s]=[t,e,0n,1n];for(;r>0n;){let i=n/r;[n,r,o,s]=[r,n-i*r,s,o-i*s]}return n===1n?(o%t+t)%t:void 0}
var Nt=(...e)=>Uint8Array.from(e.flatMap(t=>[...t])),
pr=async(...e)=>new Uint8Array(await crypto.subtle.digest("SHA-384",Nt(...e)));
async function Ml(e,t){let n=[...Array(Math.ceil(t/cs)).keys()],r=await Promise.all(n.map(o=>pr(e,[0,0,0,o])));return Nt(...r).slice(0,t)}
async function Fl(e,t,n){let r=new Uint8Array(Ye(0n,n).length-cs-1);r[r.length-fr-1]=1,r.set(t,r.length-fr);let o=await pr(new Uint8Array(8),await pr(e),t),s=await Ml(o,r.length);return r.forEach((i,a)=>r[a]=i^s[a]),r[0]&=127,Xe(Nt(r,o,[188]))}
var Ul=(e,t)=>Nt(t,new TextEncoder().encode(`askance-token-1 ${e}`));
function Wl(e){let t;do t=Xe(Y(Ye(0n,e).length));while(t>=e||ls(t,e)===void 0);return{prefix:Ze(Y(vl)),salt:Ze(Y(fr)),factor:Ze(Ye(t,e))}}
async function Kl(e,t,{prefix:n,salt:r,factor:o}){let s=dn(e),i=await Fl(Ul(t,$e(n)),$e(r),s),a=i*ds(Xe($e(o)),as,s)%s;return{encoded:i,hidden:Ze(Ye(a,s))}}
function _l(e,t,n,r,{prefix:o,factor:s}){let i=dn(e);if(!Me(r,Bl)||r.length!==e.n.length)return;let a=Xe($e(r))*(ls(Xe($e(s)),i)??0n)%i;if(ds(a,as,i)===n)return Ze(Nt([t],$e(o),Ye(a,i)))}
var mr=({fingerprint:e})=>`askance-token:${e}`;
function hr(e){try{return JSON.parse(sessionStorage.getItem(mr(e))??"null")??e.state.token}catch{return e.state.token}}
function ln(e,t){e.dispatch({type:"update",change:{token:t}});try{t?sessionStorage.setItem(mr(e),JSON.stringify(t)):sessionStorage.removeItem(mr(e))}catch{}}
var gr=e=>hr(e)?.token??"";
async function Gl(e,t){let{form:n,fingerprint:r,speech:{words:o}}=e,{issuer:s,keys:i}=n.tokens,a=Ke.indexOf(t[0]);if(t.length!==jl||!i[a]||[...t].some(f=>!Ke.includes(f)))return o.invitationUnknown;let c=hr(e),d=c?.code===t?c.drawn:Wl(dn(i[a]));ln(e,{code:t,drawn:d});let{encoded:u,hidden:l}=await Kl(i[a],r,d);try{let f=await We(new URL("sign",s),{method:"POST",body:JSON.stringify({blinded:l,code:t}),headers:{"Content-Type":"text/plain"}}),{signature:h,error:g}=await f.json();if(g)return zl(g.code,o);let k=_l(i[a],a,u,h,d);if(!k)return o.invitationForged;ln(e,{token:k});return}catch{return o.invitationFailed}}
function zl(e,t){return e==="unknown"?t.invitationUnknown:e==="exchanged"?t.invitationUsed:e==="wrong"?t.invitationForged:t.invitationFailed}
function Vl(){return new URLSearchParams(location.hash.slice(1)).get("code")??""}
function Ql(){let e=new URLSearchParams(location.hash.slice(1));e.delete("code"),history.replaceState(history.state,"",`${location.pathname}${location.search}${String(e)&&`#${e}`}`)}
var Jl=e=>(t,n)=>t.step<=0||gr(n)||n.draft.isBound()?e(t,n):e({type:"move",step:0,by:0,aside:Zl},n),
Zl={render:Xl};
function Xl(e){let{form:t,speech:{words:n}}=e,r=Wt(),o=P(),s=w(n.exchange,c,"main"),i=p("p",{role:"status"});r.value=hr(e)?.code??Vl(),r.setAttribute("aria-describedby",o.id),Te(r,o),r.addEventListener("input",a),a();function a(){let d=t.tokens.keys[Ke.indexOf(ht(r.value)[0])];i.textContent=d?d.codes?n.invitationCrowd(d.codes,d.name):n.invitationUncounted:""}async function c(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true");let d=await Gl(e,ht(r.value));if(s.removeAttribute("aria-disabled"),!!s.isConnected){if(d){U(o,d,r);return}Ql(),e.forward()}}return[O(n.invitation),m(n.invitationHow),...t.tokens.keys.length>1?[m(n.invitationKeys(t.tokens.keys.length))]:[],p("label",{htmlFor:r.id},n.invitation),r,i,o,S(w(n.back,()=>e.turnTo(void 0)),s)]}
function Yl(e){let{state:t,resume:n}=e.draft;e.draft.state=()=>{let r=t();return{...r,kept:{...r.kept,token:gr(e)}}},e.draft.resume=({token:r,...o})=>{r&&ln(e,{token:r}),n(o)}}
y({name:"tokens",shapes:Hl,validate:Pl,wrap:{openVisit:e=>t=>{Yl(t),e(t)},redirectMove:Jl,renderEnding:e=>(t,n,r)=>(ln(r,void 0),e(t,n,r)),stamp:()=>gr}});
