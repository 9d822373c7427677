var _o=65537n,
hl=[2048,3072,4096],
gl=32,
wl=1e9,
bl=16,
yl=32,
Zn=48,
Ko=48,
kl=/^[a-z][a-z0-9_]{0,39}$/,
Go=/^[\w-]+$/,
xl=/^(https:\/\/|http:\/\/(?=(localhost|127\.0\.0\.1)[:/]))([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([A-Za-z0-9_.~-]+\/)*$/;
function Sl({tokens:e,collector:t,about:n}){p(P(e)&&Object.keys(e).sort().join()==="issuer,keys","tokens");let{issuer:r,keys:o}=e;p(Ol(r)&&r!==t,"tokens.issuer"),p(A(o)&&o.length>0&&o.length<=gl&&o.every(El),"tokens.keys"),p(M(o.map(({name:s})=>s))&&M(o.map(({n:s})=>s)),"tokens.keys"),p(o.every(({n:s})=>s.length===o[0].n.length),"tokens.keys"),p(o.every(({codes:s})=>s===void 0)||o.every(({codes:s})=>Al(s,n)),"tokens.keys.codes")}
function Ol(e){try{return D(e,xl)&&new URL(e).hostname.length>0}catch{return!1}}
var Al=(e,{minimum:t=1})=>y(e,wl+1)&&e>1&&Number.isInteger(t)&&e>=t;
function El(e){if(!P(e)||!/^(codes,)?n,name$/.test(Object.keys(e).sort().join())||!D(e.name,kl)||!D(e.n,Go))return!1;let t=qt(e);return hl.includes(t.toString(2).length)&&t%2n===1n&&Ke(ze(t,t))===e.n}
var qt=({n:e})=>Ge(Le(e)),
Ke=e=>btoa(String.fromCharCode(...e)).replace(/\+/g,"-").replace(/\//g,"_").replace(/=/g,""),
Le=e=>Uint8Array.from(atob(e.replace(/-/g,"+").replace(/_/g,"/")),t=>t.charCodeAt(0)),
Ge=e=>BigInt(`0x${[...e].map(t=>t.toString(16).padStart(2,"0")).join("")}`);
function ze(e,t){let n=e.toString(16).padStart(Math.ceil(t.toString(16).length/2)*2,"0");return Uint8Array.from(n.match(/../g)??[],r=>Number.parseInt(r,16))}
function zo(e,t,n){let[r,o]=[1n,e];for(let s=t;s>0n;s>>=1n)s&1n&&(r=r*o%n),o=o*o%n;return r}
function Vo(e,t){let[n,r,o,s]=[t,e,0n,1n];for(;r>0n;){let i=n/r;[n,r,o,s]=[r,n-i*r,s,o-i*s]}return n===1n?(o%t+t)%t:void 0}
var yt=(...e)=>Uint8Array.from(e.flatMap(t=>[...t])),
Yn=async(...e)=>new Uint8Array(await crypto.subtle.digest("SHA-384",yt(...e)));
async function Tl(e,t){let n=[...Array(Math.ceil(t/Ko)).keys()],r=await Promise.all(n.map(o=>Yn(e,[0,0,0,o])));return yt(...r).slice(0,t)}
async function $l(e,t,n){let r=new Uint8Array(ze(0n,n).length-Ko-1);r[r.length-Zn-1]=1,r.set(t,r.length-Zn);let o=await Yn(new Uint8Array(8),await Yn(e),t),s=await Tl(o,r.length);return r.forEach((i,a)=>r[a]=i^s[a]),r[0]&=127,Ge(yt(r,o,[188]))}
var Ll=(e,t)=>yt(t,new TextEncoder().encode(`askance-token-1 ${e}`));
function Il(e){let t;do t=Ge(X(ze(0n,e).length));while(t>=e||Vo(t,e)===void 0);return{prefix:Ke(X(yl)),salt:Ke(X(Zn)),factor:Ke(ze(t,e))}}
async function Nl(e,t,{prefix:n,salt:r,factor:o}){let s=qt(e),i=await $l(Ll(t,Le(n)),Le(r),s),a=i*zo(Ge(Le(o)),_o,s)%s;return{encoded:i,hidden:Ke(ze(a,s))}}
function Cl(e,t,n,r,{prefix:o,factor:s}){let i=qt(e);if(!D(r,Go)||r.length!==e.n.length)return;let a=Ge(Le(r))*(Vo(Ge(Le(s)),i)??0n)%i;if(zo(a,_o,i)===n)return Ke(yt([t],Le(o),ze(a,i)))}
var Xn=({fingerprint:e})=>`askance-token:${e}`;
function qn(e){try{return JSON.parse(sessionStorage.getItem(Xn(e))??"null")??e.state.token}catch{return e.state.token}}
function en(e,t){e.dispatch({type:"update",change:{token:t}});try{t?sessionStorage.setItem(Xn(e),JSON.stringify(t)):sessionStorage.removeItem(Xn(e))}catch{}}
var er=e=>qn(e)?.token??"";
async function vl(e,t){let{form:n,fingerprint:r,speech:{words:o}}=e,{issuer:s,keys:i}=n.tokens,a=De.indexOf(t[0]);if(t.length!==bl||!i[a]||[...t].some(f=>!De.includes(f)))return o.invitationUnknown;let c=qn(e),d=c?.code===t?c.drawn:Il(qt(i[a]));en(e,{code:t,drawn:d});let{encoded:u,hidden:l}=await Nl(i[a],r,d);try{let f=await Me(new URL("sign",s),{method:"POST",body:JSON.stringify({blinded:l,code:t}),headers:{"Content-Type":"text/plain"}}),{signature:g,error:w}=await f.json();if(w)return Rl(w.code,o);let S=Cl(i[a],a,u,g,d);if(!S)return o.invitationForged;en(e,{token:S});return}catch{return o.invitationFailed}}
function Rl(e,t){return e==="unknown"?t.invitationUnknown:e==="exchanged"?t.invitationUsed:e==="wrong"?t.invitationForged:t.invitationFailed}
function jl(){return new URLSearchParams(location.hash.slice(1)).get("code")??""}
function Bl(){let e=new URLSearchParams(location.hash.slice(1));e.delete("code"),history.replaceState(history.state,"",`${location.pathname}${location.search}${String(e)&&`#${e}`}`)}
var Hl=e=>(t,n)=>t.step<=0||er(n)||n.draft.isBound()?e(t,n):e({type:"move",step:0,by:0,aside:Pl},n),
Pl={render:Ml};
function Ml(e){let{form:t,speech:{words:n}}=e,r=jt(),o=H(),s=b(n.exchange,c,"main"),i=m("p",{role:"status"});r.value=qn(e)?.code??jl(),r.setAttribute("aria-describedby",o.id),Se(r,o),r.addEventListener("input",a),a();function a(){let d=t.tokens.keys[De.indexOf(dt(r.value)[0])];i.textContent=d?d.codes?n.invitationCrowd(d.codes,d.name):n.invitationUncounted:""}async function c(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true");let d=await vl(e,dt(r.value));if(s.removeAttribute("aria-disabled"),!!s.isConnected){if(d){W(o,d,r);return}Bl(),e.forward()}}return[E(n.invitation),h(n.invitationHow),...t.tokens.keys.length>1?[h(n.invitationKeys(t.tokens.keys.length))]:[],m("label",{htmlFor:r.id},n.invitation),r,i,o,O(b(n.back,()=>e.turnTo(void 0)),s)]}
function Dl(e){let{state:t,resume:n}=e.draft;e.draft.state=()=>{let r=t();return{...r,kept:{...r.kept,token:er(e)}}},e.draft.resume=({token:r,...o})=>{r&&en(e,{token:r}),n(o)}}
k({name:"tokens",detect:({tokens:e})=>e!==void 0,validate:Sl,wrap:{openVisit:e=>t=>{Dl(t),e(t)},redirectMove:Hl,renderEnding:e=>(t,n,r)=>(en(r,void 0),e(t,n,r)),stamp:()=>er}});
var ns=65537n,
Sl=[2048,3072,4096],
Ol=16,
Al=32,
lr=48,
rs=48,
El=/^[\w-]+$/,
Nl={tokens:B({issuer:/^(https:\/\/|http:\/\/(?=(localhost|127\.0\.0\.1)[:/]))([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*$/,keys:[B({name:kn,n:/^[\w-]{342,683}$/,"codes?":[2,1e9]}),1,void 0,32]})};
function Tl({tokens:{issuer:e,keys:t},collector:n,about:{minimum:r=1}}){new URL(e),b(e!==n,"tokens.issuer"),b(me(t)&&j(t.map(({n:s})=>s))&&t.every(Ll),"tokens.keys"),b(t.every(({n:s})=>s.length===t[0].n.length),"tokens.keys");let o=({codes:s=0})=>Number.isInteger(r)&&s>0&&s>=r;b(t.every(({codes:s})=>s===void 0)||t.every(o),"tokens.keys.codes")}
function Ll(e){let t=cn(e);return Sl.includes(t.toString(2).length)&&t%2n===1n&&Ze(Ye(t,t))===e.n}
var cn=({n:e})=>Xe(Ie(e)),
Ze=e=>btoa(String.fromCharCode(...e)).replace(/\+/g,"-").replace(/\//g,"_").replace(/=/g,""),
Ie=e=>Uint8Array.from(atob(e.replace(/-/g,"+").replace(/_/g,"/")),t=>t.charCodeAt(0)),
Xe=e=>BigInt(`0x${[...e].map(t=>t.toString(16).padStart(2,"0")).join("")}`);
function Ye(e,t){let n=e.toString(16).padStart(Math.ceil(t.toString(16).length/2)*2,"0");return Uint8Array.from(n.match(/../g)??[],r=>Number.parseInt(r,16))}
function os(e,t,n){let[r,o]=[1n,e];for(let s=t;s>0n;s>>=1n)s&1n&&(r=r*o%n),o=o*o%n;return r}
function ss(e,t){let[n,r,o,s]=[t,e,0n,1n];for(;r>0n;){let i=n/r;[n,r,o,s]=[r,n-i*r,s,o-i*s]}return n===1n?(o%t+t)%t:void 0}
var Et=(...e)=>Uint8Array.from(e.flatMap(t=>[...t])),
ur=async(...e)=>new Uint8Array(await crypto.subtle.digest("SHA-384",Et(...e)));
async function Il(e,t){let n=[...Array(Math.ceil(t/rs)).keys()],r=await Promise.all(n.map(o=>ur(e,[0,0,0,o])));return Et(...r).slice(0,t)}
async function Cl(e,t,n){let r=new Uint8Array(Ye(0n,n).length-rs-1);r[r.length-lr-1]=1,r.set(t,r.length-lr);let o=await ur(new Uint8Array(8),await ur(e),t),s=await Il(o,r.length);return r.forEach((i,a)=>r[a]=i^s[a]),r[0]&=127,Xe(Et(r,o,[188]))}
var $l=(e,t)=>Et(t,new TextEncoder().encode(`askance-token-1 ${e}`));
function Rl(e){let t;do t=Xe(X(Ye(0n,e).length));while(t>=e||ss(t,e)===void 0);return{prefix:Ze(X(Al)),salt:Ze(X(lr)),factor:Ze(Ye(t,e))}}
async function jl(e,t,{prefix:n,salt:r,factor:o}){let s=cn(e),i=await Cl($l(t,Ie(n)),Ie(r),s),a=i*os(Xe(Ie(o)),ns,s)%s;return{encoded:i,hidden:Ze(Ye(a,s))}}
function Bl(e,t,n,r,{prefix:o,factor:s}){let i=cn(e);if(!Pe(r,El)||r.length!==e.n.length)return;let a=Xe(Ie(r))*(ss(Xe(Ie(s)),i)??0n)%i;if(os(a,ns,i)===n)return Ze(Et([t],Ie(o),Ye(a,i)))}
var fr=({fingerprint:e})=>`askance-token:${e}`;
function pr(e){try{return JSON.parse(sessionStorage.getItem(fr(e))??"null")??e.state.token}catch{return e.state.token}}
function dn(e,t){e.dispatch({type:"update",change:{token:t}});try{t?sessionStorage.setItem(fr(e),JSON.stringify(t)):sessionStorage.removeItem(fr(e))}catch{}}
var mr=e=>pr(e)?.token??"";
async function vl(e,t){let{form:n,fingerprint:r,speech:{words:o}}=e,{issuer:s,keys:i}=n.tokens,a=We.indexOf(t[0]);if(t.length!==Ol||!i[a]||[...t].some(f=>!We.includes(f)))return o.invitationUnknown;let c=pr(e),d=c?.code===t?c.drawn:Rl(cn(i[a]));dn(e,{code:t,drawn:d});let{encoded:u,hidden:l}=await jl(i[a],r,d);try{let f=await Ue(new URL("sign",s),{method:"POST",body:JSON.stringify({blinded:l,code:t}),headers:{"Content-Type":"text/plain"}}),{signature:h,error:g}=await f.json();if(g)return Hl(g.code,o);let S=Bl(i[a],a,u,h,d);if(!S)return o.invitationForged;dn(e,{token:S});return}catch{return o.invitationFailed}}
function Hl(e,t){return e==="unknown"?t.invitationUnknown:e==="exchanged"?t.invitationUsed:e==="wrong"?t.invitationForged:t.invitationFailed}
function Pl(){return new URLSearchParams(location.hash.slice(1)).get("code")??""}
function Dl(){let e=new URLSearchParams(location.hash.slice(1));e.delete("code"),history.replaceState(history.state,"",`${location.pathname}${location.search}${String(e)&&`#${e}`}`)}
var Fl=e=>(t,n)=>t.step<=0||mr(n)||n.draft.isBound()?e(t,n):e({type:"move",step:0,by:0,aside:Ml},n),
Ml={render:Ul};
function Ul(e){let{form:t,speech:{words:n}}=e,r=Ut(),o=P(),s=w(n.exchange,c,"main"),i=p("p",{role:"status"});r.value=pr(e)?.code??Pl(),r.setAttribute("aria-describedby",o.id),Ae(r,o),r.addEventListener("input",a),a();function a(){let d=t.tokens.keys[We.indexOf(mt(r.value)[0])];i.textContent=d?d.codes?n.invitationCrowd(d.codes,d.name):n.invitationUncounted:""}async function c(){if(s.hasAttribute("aria-disabled"))return;s.setAttribute("aria-disabled","true");let d=await vl(e,mt(r.value));if(s.removeAttribute("aria-disabled"),!!s.isConnected){if(d){U(o,d,r);return}Dl(),e.forward()}}return[O(n.invitation),m(n.invitationHow),...t.tokens.keys.length>1?[m(n.invitationKeys(t.tokens.keys.length))]:[],p("label",{htmlFor:r.id},n.invitation),r,i,o,x(w(n.back,()=>e.turnTo(void 0)),s)]}
function Wl(e){let{state:t,resume:n}=e.draft;e.draft.state=()=>{let r=t();return{...r,kept:{...r.kept,token:mr(e)}}},e.draft.resume=({token:r,...o})=>{r&&dn(e,{token:r}),n(o)}}
y({name:"tokens",shapes:Nl,validate:Tl,wrap:{openVisit:e=>t=>{Wl(t),e(t)},redirectMove:Fl,renderEnding:e=>(t,n,r)=>(dn(r,void 0),e(t,n,r)),stamp:()=>mr}});
