var jo=65537n,
el=[2048,3072,4096],
tl=32,
nl=1e9,
rl=16,
ol=32,
_n=48,
Bo=48,
sl=/^[a-z][a-z0-9_]{0,39}$/,
Ho=/^[\w-]+$/,
il=/^(https:\/\/|http:\/\/(?=(localhost|127\.0\.0\.1)[:/]))([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([A-Za-z0-9_.~-]+\/)*$/;
function al({tokens:e,collector:t,about:n}){p(P(e)&&Object.keys(e).sort().join()==="issuer,keys","tokens");let{issuer:r,keys:o}=e;p(cl(r)&&r!==t,"tokens.issuer"),p(E(o)&&o.length>0&&o.length<=tl&&o.every(ll),"tokens.keys"),p(M(o.map(({name:s})=>s))&&M(o.map(({n:s})=>s)),"tokens.keys"),p(o.every(({n:s})=>s.length===o[0].n.length),"tokens.keys"),p(o.every(({codes:s})=>s===void 0)||o.every(({codes:s})=>dl(s,n)),"tokens.keys.codes")}
function cl(e){try{return D(e,il)&&new URL(e).hostname.length>0}catch{return!1}}
var dl=(e,{minimum:t=1})=>y(e,nl+1)&&e>1&&Number.isInteger(t)&&e>=t;
function ll(e){if(!P(e)||!/^(codes,)?n,name$/.test(Object.keys(e).sort().join())||!D(e.name,sl)||!D(e.n,Ho))return!1;let t=Zt(e);return el.includes(t.toString(2).length)&&t%2n===1n&&Fe(_e(t,t))===e.n}
var Zt=({n:e})=>We(Ee(e)),
Fe=e=>btoa(String.fromCharCode(...e)).replace(/\+/g,"-").replace(/\//g,"_").replace(/=/g,""),
Ee=e=>Uint8Array.from(atob(e.replace(/-/g,"+").replace(/_/g,"/")),t=>t.charCodeAt(0)),
We=e=>BigInt(`0x${[...e].map(t=>t.toString(16).padStart(2,"0")).join("")}`);
function _e(e,t){let n=e.toString(16).padStart(Math.ceil(t.toString(16).length/2)*2,"0");return Uint8Array.from(n.match(/../g)??[],r=>Number.parseInt(r,16))}
function Po(e,t,n){let[r,o]=[1n,e];for(let s=t;s>0n;s>>=1n)s&1n&&(r=r*o%n),o=o*o%n;return r}
function Mo(e,t){let[n,r,o,s]=[t,e,0n,1n];for(;r>0n;){let i=n/r;[n,r,o,s]=[r,n-i*r,s,o-i*s]}return n===1n?(o%t+t)%t:void 0}
var gt=(...e)=>Uint8Array.from(e.flatMap(t=>[...t])),
Kn=async(...e)=>new Uint8Array(await crypto.subtle.digest("SHA-384",gt(...e)));
async function ul(e,t){let n=[...Array(Math.ceil(t/Bo)).keys()],r=await Promise.all(n.map(o=>Kn(e,[0,0,0,o])));return gt(...r).slice(0,t)}
async function fl(e,t,n){let r=new Uint8Array(_e(0n,n).length-Bo-1);r[r.length-_n-1]=1,r.set(t,r.length-_n);let o=await Kn(new Uint8Array(8),await Kn(e),t),s=await ul(o,r.length);return r.forEach((i,a)=>r[a]=i^s[a]),r[0]&=127,We(gt(r,o,[188]))}
var pl=(e,t)=>gt(t,new TextEncoder().encode(`askance-token-1 ${e}`));
function ml(e){let t;do t=We(Z(_e(0n,e).length));while(t>=e||Mo(t,e)===void 0);return{prefix:Fe(Z(ol)),salt:Fe(Z(_n)),factor:Fe(_e(t,e))}}
async function hl(e,t,{prefix:n,salt:r,factor:o}){let s=Zt(e),i=await fl(pl(t,Ee(n)),Ee(r),s),a=i*Po(We(Ee(o)),jo,s)%s;return{encoded:i,hidden:Fe(_e(a,s))}}
function gl(e,t,n,r,{prefix:o,factor:s}){let i=Zt(e);if(!D(r,Ho)||r.length!==e.n.length)return;let a=We(Ee(r))*(Mo(We(Ee(s)),i)??0n)%i;if(Po(a,jo,i)===n)return Fe(gt([t],Ee(o),_e(a,i)))}
var Gn=({fingerprint:e})=>`askance-token:${e}`;
function zn(e){try{return JSON.parse(sessionStorage.getItem(Gn(e))??"null")??e.state.token}catch{return e.state.token}}
function Yt(e,t){e.dispatch({type:"update",change:{token:t}});try{t?sessionStorage.setItem(Gn(e),JSON.stringify(t)):sessionStorage.removeItem(Gn(e))}catch{}}
var Vn=e=>zn(e)?.token??"";
async function wl(e,t){let{form:n,fingerprint:r,speech:{words:o}}=e,{issuer:s,keys:i}=n.tokens,a=He.indexOf(t[0]);if(t.length!==rl||!i[a]||[...t].some(f=>!He.includes(f)))return o.invitationUnknown;let c=zn(e),d=c?.code===t?c.drawn:ml(Zt(i[a]));Yt(e,{code:t,drawn:d});let{encoded:u,hidden:l}=await hl(i[a],r,d);try{let f=await Be(new URL("sign",s),{method:"POST",body:JSON.stringify({blinded:l,code:t}),headers:{"Content-Type":"text/plain"}}),{signature:g,error:w}=await f.json();if(w)return bl(w.code,o);let O=gl(i[a],a,u,g,d);if(!O)return o.invitationForged;Yt(e,{token:O});return}catch{return o.invitationFailed}}
function bl(e,t){return e==="unknown"?t.invitationUnknown:e==="exchanged"?t.invitationUsed:e==="wrong"?t.invitationForged:t.invitationFailed}
function yl(){return new URLSearchParams(location.hash.slice(1)).get("code")??""}
function kl(){let e=new URLSearchParams(location.hash.slice(1));e.delete("code"),history.replaceState(history.state,"",`${location.pathname}${location.search}${String(e)&&`#${e}`}`)}
var xl=e=>(t,n)=>t.step<=0||Vn(n)||n.draft.isBound()?e(t,n):e({type:"move",step:0,by:0,aside:Sl},n),
Sl={render:Ol};
function Ol(e){let{form:t,speech:{words:n}}=e,r=Ct(),o=H(),s=b(n.exchange,c,"main"),i=m("p",{role:"status"});r.value=zn(e)?.code??yl(),r.setAttribute("aria-describedby",o.id),be(r,o),r.addEventListener("input",a),a();function a(){let d=t.tokens.keys[He.indexOf(it(r.value)[0])];i.textContent=d?d.codes?n.invitationCrowd(d.codes,d.name):n.invitationUncounted:""}async function c(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true");let d=await wl(e,it(r.value));if(s.removeAttribute("aria-disabled"),!!s.isConnected){if(d){W(o,d,r);return}kl(),e.forward()}}return[A(n.invitation),h(n.invitationHow),...t.tokens.keys.length>1?[h(n.invitationKeys(t.tokens.keys.length))]:[],m("label",{htmlFor:r.id},n.invitation),r,i,o,S(b(n.back,()=>e.turnTo(void 0)),s)]}
function Al(e){let{state:t,resume:n}=e.draft;e.draft.state=()=>{let r=t();return{...r,kept:{...r.kept,token:Vn(e)}}},e.draft.resume=({token:r,...o})=>{r&&Yt(e,{token:r}),n(o)}}
k({name:"tokens",detect:({tokens:e})=>e!==void 0,validate:al,wrap:{openVisit:e=>t=>{Al(t),e(t)},redirectMove:xl,renderEnding:e=>(t,n,r)=>(Yt(r,void 0),e(t,n,r)),stamp:()=>Vn}});
