var Os=65537n,
lu=[2048,3072,4096],
uu=16,
fu=32,
kr=48,
As=48,
pu=/^[\w-]+$/,
mu={tokens:j({issuer:/^(https:\/\/|http:\/\/(?=(localhost|127\.0\.0\.1)[:/]))([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*$/,keys:[j({name:Tn,n:/^[\w-]{342,683}$/,"codes?":[2,1e9]}),1,void 0,32]})};
function hu({tokens:{issuer:e,keys:t},collector:n,about:{minimum:r=1}}){new URL(e),w(e!==n,"tokens.issuer"),w(ye(t)&&H(t.map(({n:s})=>s))&&t.every(gu),"tokens.keys"),w(t.every(({n:s})=>s.length===t[0].n.length),"tokens.keys");let o=({codes:s=0})=>Number.isInteger(r)&&s>0&&s>=r;w(t.every(({codes:s})=>s===void 0)||t.every(o),"tokens.keys.codes")}
function gu(e){let t=mn(e);return lu.includes(t.toString(2).length)&&t%2n===1n&&et(nt(t,t))===e.n}
var mn=({n:e})=>tt(Be(e)),
et=e=>btoa(String.fromCharCode(...e)).replace(/\+/g,"-").replace(/\//g,"_").replace(/=/g,""),
Be=e=>Uint8Array.from(atob(e.replace(/-/g,"+").replace(/_/g,"/")),t=>t.charCodeAt(0)),
tt=e=>BigInt(`0x${[...e].map(t=>t.toString(16).padStart(2,"0")).join("")}`);
function nt(e,t){let n=e.toString(16).padStart(Math.ceil(t.toString(16).length/2)*2,"0");return Uint8Array.from(n.match(/../g)??[],r=>Number.parseInt(r,16))}
function Es(e,t,n){let[r,o]=[1n,e];for(let s=t;s>0n;s>>=1n)s&1n&&(r=r*o%n),o=o*o%n;return r}
function Ns(e,t){let[n,r,o,s]=[t,e,0n,1n];for(;r>0n;){let i=n/r;[n,r,o,s]=[r,n-i*r,s,o-i*s]}return n===1n?(o%t+t)%t:void 0}
var Lt=(...e)=>Uint8Array.from(e.flatMap(t=>[...t])),
xr=async(...e)=>new Uint8Array(await crypto.subtle.digest("SHA-384",Lt(...e)));
async function wu(e,t){let n=[...Array(Math.ceil(t/As)).keys()],r=await Promise.all(n.map(o=>xr(e,[0,0,0,o])));return Lt(...r).slice(0,t)}
async function bu(e,t,n){let r=new Uint8Array(nt(0n,n).length-As-1);r[r.length-kr-1]=1,r.set(t,r.length-kr);let o=await xr(new Uint8Array(8),await xr(e),t),s=await wu(o,r.length);return r.forEach((i,a)=>r[a]=i^s[a]),r[0]&=127,tt(Lt(r,o,[188]))}
var yu=(e,t)=>Lt(t,new TextEncoder().encode(`askance-token-1 ${e}`));
function ku(e){let t;do t=tt(ee(nt(0n,e).length));while(t>=e||Ns(t,e)===void 0);return{prefix:et(ee(fu)),salt:et(ee(kr)),factor:et(nt(t,e))}}
async function xu(e,t,{prefix:n,salt:r,factor:o}){let s=mn(e),i=await bu(yu(t,Be(n)),Be(r),s),a=i*Es(tt(Be(o)),Os,s)%s;return{encoded:i,hidden:et(nt(a,s))}}
function Su(e,t,n,r,{prefix:o,factor:s}){let i=mn(e);if(!_e(r,pu)||r.length!==e.n.length)return;let a=tt(Be(r))*(Ns(tt(Be(s)),i)??0n)%i;if(Es(a,Os,i)===n)return et(Lt([t],Be(o),nt(a,i)))}
var Sr=({fingerprint:e})=>`askance-token:${e}`;
function Or(e){try{return JSON.parse(sessionStorage.getItem(Sr(e))??"null")??e.state.token}catch{return e.state.token}}
function hn(e,t){e.dispatch({type:"update",change:{token:t}});try{t?sessionStorage.setItem(Sr(e),JSON.stringify(t)):sessionStorage.removeItem(Sr(e))}catch{}}
var Ar=e=>Or(e)?.token??"";
async function Ou(e,t){let{form:n,fingerprint:r,speech:{words:o}}=e,{issuer:s,keys:i}=n.tokens,a=Je.indexOf(t[0]);if(t.length!==uu||!i[a]||[...t].some(f=>!Je.includes(f)))return o.invitationUnknown;let c=Or(e),d=c?.code===t?c.drawn:ku(mn(i[a]));hn(e,{code:t,drawn:d});let{encoded:u,hidden:l}=await xu(i[a],r,d);try{let f=await Qe(new URL("sign",s),{method:"POST",body:JSON.stringify({blinded:l,code:t}),headers:{"Content-Type":"text/plain"}}),{signature:m,error:g}=await f.json();if(g)return Au(g.code,o);let k=Su(i[a],a,u,m,d);if(!k)return o.invitationForged;hn(e,{token:k});return}catch{return o.invitationFailed}}
function Au(e,t){return e==="unknown"?t.invitationUnknown:e==="exchanged"?t.invitationUsed:e==="wrong"?t.invitationForged:t.invitationFailed}
function Eu(){return new URLSearchParams(location.hash.slice(1)).get("code")??""}
function Nu(){let e=new URLSearchParams(location.hash.slice(1));e.delete("code"),history.replaceState(history.state,"",`${location.pathname}${location.search}${String(e)&&`#${e}`}`)}
var Tu=e=>(t,n)=>t.step<=0||Ar(n)||n.draft.isBound()?e(t,n):e({type:"move",step:0,by:0,aside:Lu},n),
Lu={render:Iu};
function Iu(e){let{form:t,speech:{words:n}}=e,r=zt(),o=F(),s=y(n.exchange,c,"main"),i=p("p",{role:"status"});r.value=Or(e)?.code??Eu(),r.setAttribute("aria-describedby",o.id),$e(r,o),r.addEventListener("input",a),a();function a(){let d=t.tokens.keys[Je.indexOf(gt(r.value)[0])];i.textContent=d?d.codes?n.invitationCrowd(d.codes,d.name):n.invitationUncounted:""}async function c(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true");let d=await Ou(e,gt(r.value));if(s.removeAttribute("aria-disabled"),!!s.isConnected){if(d){D(o,d,r);return}Nu(),e.forward()}}return[E(n.invitation),h(n.invitationHow),...t.tokens.keys.length>1?[h(n.invitationKeys(t.tokens.keys.length))]:[],p("label",{htmlFor:r.id},n.invitation),r,i,o,S(y(n.back,()=>e.turnTo(void 0)),s)]}
function $u(e){let{state:t,resume:n}=e.draft;e.draft.state=()=>{let r=t();return{...r,kept:{...r.kept,token:Ar(e)}}},e.draft.resume=({token:r,...o})=>{r&&hn(e,{token:r}),n(o)}}
b({name:"tokens",shapes:mu,validate:hu,wrap:{openVisit:e=>t=>{$u(t),e(t)},redirectMove:Tu,renderEnding:e=>(t,n,r)=>(hn(r,void 0),e(t,n,r)),stamp:()=>Ar}});
