var Mo=65537n,
il=[2048,3072,4096],
al=32,
cl=1e9,
dl=16,
ll=32,
Qn=48,
Do=48,
ul=/^[a-z][a-z0-9_]{0,39}$/,
Uo=/^[\w-]+$/,
fl=/^(https:\/\/|http:\/\/(?=(localhost|127\.0\.0\.1)[:/]))([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([A-Za-z0-9_.~-]+\/)*$/;
function pl({tokens:e,collector:t,about:n}){p(P(e)&&Object.keys(e).sort().join()==="issuer,keys","tokens");let{issuer:r,keys:o}=e;p(ml(r)&&r!==t,"tokens.issuer"),p(T(o)&&o.length>0&&o.length<=al&&o.every(gl),"tokens.keys"),p(M(o.map(({name:s})=>s))&&M(o.map(({n:s})=>s)),"tokens.keys"),p(o.every(({n:s})=>s.length===o[0].n.length),"tokens.keys"),p(o.every(({codes:s})=>s===void 0)||o.every(({codes:s})=>hl(s,n)),"tokens.keys.codes")}
function ml(e){try{return D(e,fl)&&new URL(e).hostname.length>0}catch{return!1}}
var hl=(e,{minimum:t=1})=>y(e,cl+1)&&e>1&&Number.isInteger(t)&&e>=t;
function gl(e){if(!P(e)||!/^(codes,)?n,name$/.test(Object.keys(e).sort().join())||!D(e.name,ul)||!D(e.n,Uo))return!1;let t=Xt(e);return il.includes(t.toString(2).length)&&t%2n===1n&&Ke(ze(t,t))===e.n}
var Xt=({n:e})=>Ge(Te(e)),
Ke=e=>btoa(String.fromCharCode(...e)).replace(/\+/g,"-").replace(/\//g,"_").replace(/=/g,""),
Te=e=>Uint8Array.from(atob(e.replace(/-/g,"+").replace(/_/g,"/")),t=>t.charCodeAt(0)),
Ge=e=>BigInt(`0x${[...e].map(t=>t.toString(16).padStart(2,"0")).join("")}`);
function ze(e,t){let n=e.toString(16).padStart(Math.ceil(t.toString(16).length/2)*2,"0");return Uint8Array.from(n.match(/../g)??[],r=>Number.parseInt(r,16))}
function Fo(e,t,n){let[r,o]=[1n,e];for(let s=t;s>0n;s>>=1n)s&1n&&(r=r*o%n),o=o*o%n;return r}
function Wo(e,t){let[n,r,o,s]=[t,e,0n,1n];for(;r>0n;){let i=n/r;[n,r,o,s]=[r,n-i*r,s,o-i*s]}return n===1n?(o%t+t)%t:void 0}
var bt=(...e)=>Uint8Array.from(e.flatMap(t=>[...t])),
Jn=async(...e)=>new Uint8Array(await crypto.subtle.digest("SHA-384",bt(...e)));
async function wl(e,t){let n=[...Array(Math.ceil(t/Do)).keys()],r=await Promise.all(n.map(o=>Jn(e,[0,0,0,o])));return bt(...r).slice(0,t)}
async function bl(e,t,n){let r=new Uint8Array(ze(0n,n).length-Do-1);r[r.length-Qn-1]=1,r.set(t,r.length-Qn);let o=await Jn(new Uint8Array(8),await Jn(e),t),s=await wl(o,r.length);return r.forEach((i,a)=>r[a]=i^s[a]),r[0]&=127,Ge(bt(r,o,[188]))}
var yl=(e,t)=>bt(t,new TextEncoder().encode(`askance-token-1 ${e}`));
function kl(e){let t;do t=Ge(Y(ze(0n,e).length));while(t>=e||Wo(t,e)===void 0);return{prefix:Ke(Y(ll)),salt:Ke(Y(Qn)),factor:Ke(ze(t,e))}}
async function xl(e,t,{prefix:n,salt:r,factor:o}){let s=Xt(e),i=await bl(yl(t,Te(n)),Te(r),s),a=i*Fo(Ge(Te(o)),Mo,s)%s;return{encoded:i,hidden:Ke(ze(a,s))}}
function Sl(e,t,n,r,{prefix:o,factor:s}){let i=Xt(e);if(!D(r,Uo)||r.length!==e.n.length)return;let a=Ge(Te(r))*(Wo(Ge(Te(s)),i)??0n)%i;if(Fo(a,Mo,i)===n)return Ke(bt([t],Te(o),ze(a,i)))}
var Zn=({fingerprint:e})=>`askance-token:${e}`;
function Yn(e){try{return JSON.parse(sessionStorage.getItem(Zn(e))??"null")??e.state.token}catch{return e.state.token}}
function qt(e,t){e.dispatch({type:"update",change:{token:t}});try{t?sessionStorage.setItem(Zn(e),JSON.stringify(t)):sessionStorage.removeItem(Zn(e))}catch{}}
var Xn=e=>Yn(e)?.token??"";
async function Ol(e,t){let{form:n,fingerprint:r,speech:{words:o}}=e,{issuer:s,keys:i}=n.tokens,a=Me.indexOf(t[0]);if(t.length!==dl||!i[a]||[...t].some(f=>!Me.includes(f)))return o.invitationUnknown;let c=Yn(e),d=c?.code===t?c.drawn:kl(Xt(i[a]));qt(e,{code:t,drawn:d});let{encoded:u,hidden:l}=await xl(i[a],r,d);try{let f=await Pe(new URL("sign",s),{method:"POST",body:JSON.stringify({blinded:l,code:t}),headers:{"Content-Type":"text/plain"}}),{signature:g,error:w}=await f.json();if(w)return Al(w.code,o);let O=Sl(i[a],a,u,g,d);if(!O)return o.invitationForged;qt(e,{token:O});return}catch{return o.invitationFailed}}
function Al(e,t){return e==="unknown"?t.invitationUnknown:e==="exchanged"?t.invitationUsed:e==="wrong"?t.invitationForged:t.invitationFailed}
function El(){return new URLSearchParams(location.hash.slice(1)).get("code")??""}
function Tl(){let e=new URLSearchParams(location.hash.slice(1));e.delete("code"),history.replaceState(history.state,"",`${location.pathname}${location.search}${String(e)&&`#${e}`}`)}
var $l=e=>(t,n)=>t.step<=0||Xn(n)||n.draft.isBound()?e(t,n):e({type:"move",step:0,by:0,aside:Ll},n),
Ll={render:Il};
function Il(e){let{form:t,speech:{words:n}}=e,r=Rt(),o=H(),s=b(n.exchange,c,"main"),i=m("p",{role:"status"});r.value=Yn(e)?.code??El(),r.setAttribute("aria-describedby",o.id),ye(r,o),r.addEventListener("input",a),a();function a(){let d=t.tokens.keys[Me.indexOf(ct(r.value)[0])];i.textContent=d?d.codes?n.invitationCrowd(d.codes,d.name):n.invitationUncounted:""}async function c(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true");let d=await Ol(e,ct(r.value));if(s.removeAttribute("aria-disabled"),!!s.isConnected){if(d){W(o,d,r);return}Tl(),e.forward()}}return[A(n.invitation),h(n.invitationHow),...t.tokens.keys.length>1?[h(n.invitationKeys(t.tokens.keys.length))]:[],m("label",{htmlFor:r.id},n.invitation),r,i,o,S(b(n.back,()=>e.turnTo(void 0)),s)]}
function Nl(e){let{state:t,resume:n}=e.draft;e.draft.state=()=>{let r=t();return{...r,kept:{...r.kept,token:Xn(e)}}},e.draft.resume=({token:r,...o})=>{r&&qt(e,{token:r}),n(o)}}
k({name:"tokens",detect:({tokens:e})=>e!==void 0,validate:pl,wrap:{openVisit:e=>t=>{Nl(t),e(t)},redirectMove:$l,renderEnding:e=>(t,n,r)=>(qt(r,void 0),e(t,n,r)),stamp:()=>Xn}});
