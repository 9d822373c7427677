var _s=2**48,
Gs=64,
Hr=256,
zs=["groups?","assigned?","ticks?","coin?","beside?"];
function ut(e){let t=JSON.parse(e);w(U(t)===e&&!Mr(t,1),"form");let{languages:n,questions:r}=t;kn(t,ei,n),new URL(t.collector,"https://a"),r.forEach((i,a)=>Qs(i,n,`questions[${a}].`)),w(j(r.map(({name:i})=>i)),"name"),w(t.size===Sn(r),"size");let o=yn.filter(({detect:i})=>i?.(t));o.forEach(({shapes:i})=>kn(t,i,n)),o.forEach(({validate:i})=>i?.(t)),w(t.ending===void 0||o.some(({name:i})=>i==="ending"),"ending");let s=o.some(({version:i=2})=>i>1);return w(t.askance===(s?"form-2":"form-1"),"askance"),t}
function Sn(e){let n=e.map(r=>`"${r.name}":,`.length+Vs(r));return Math.ceil((128+C(n))/Hr)*Hr}
function Vs(e){let{kind:t,answers:n,reports:r}=e;return O[t]?O[t].maxLength(e):Math.max(4,`${(r??n).length-1}`.length)}
function Qs(e,t,n){w(Object.keys(M).includes(e.kind),`${n}kind`);let[r,o=Ke]=M[e.kind];w(zs.every(s=>s in r||!(s.slice(0,-1)in e)),`${n}kind`),kn(e,r,t,n),w(o(e),n)}
function kn(e,t,n,r=""){for(let o in t)w(Pr(e,o,t[o],n),r+o)}
function Pr(e,t,n,r){let o=t.replace("?","");return Object.hasOwn(e,o)?se(e[o],n,r):o!==t}
function se(e,t,n){if(typeof t=="function")return t(e,n);if(Array.isArray(t)){if(Fr(t))return Dr([e],t);let[r,o,s=oe,i=1/0]=t;return!oe(e)||e.length<o||e.length>i?!1:(Fr(r)?Dr(e,r):e.every(c=>se(c,r,n)))&&s(e)}return t?.test?We(e,t):t===null||typeof t!="object"?e===t:Ue(e)&&Object.keys(t).every(r=>Pr(e,r,t[r],n))}
var Fr=e=>Number.isInteger(e[0]),
Dr=(e,[t,n=1/0])=>e.every(Number.isInteger)&&!e.some(r=>r<t||r>n),
Js=({table:e,answers:t,reports:n})=>On(e,t,n.map(({means:r})=>r));
function On({total:e,rows:t},n,r){return t.length===n.length&&t.every(s=>s.length===r.length&&C(s)===e)&&r.flat().every(s=>s<n.length)}
var ge=e=>j(e.map(({name:t})=>t)),
Zs=({length:e,0:t,1:n})=>e===2&&t<n;
function I(e,t){return!Ue(e)||Object.keys(e).length!==t.length?!1:t.every(n=>Object.hasOwn(e,n)&&ie(e[n]))}
var We=(e,t)=>typeof e=="string"&&t.test(e),
ie=e=>We(e,Ys),
Xs=e=>e!==""&&ie(e),
Ke=()=>!0,
oe=e=>Array.isArray(e),
Ue=e=>e!==null&&typeof e=="object"&&!oe(e),
Dt=e=>$(e-1,_s),
j=e=>new Set(e).size===e.length;
function Mr(e,t){if(typeof e=="number")return!Number.isSafeInteger(e);if(e===null||typeof e!="object")return!1;let n=Object.values(e);return t>Gs||!n.every(Number.isSafeInteger)&&n.some(r=>Mr(r,t+1))}
function w(e,t){if(!e)throw new TypeError(t)}
var Ys=/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]*$/u,
An=/^[a-z][a-z0-9_]{0,39}$/,
qs=/^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?(-x(-[A-Za-z0-9]{1,8})+)?$/,
_e={name:Xs,label:I},
Ft=[_e,2,ge],
Mt=[[0],1,j],
xn=[0,2**48],
En=[1,2**48],
ft=[xn,1],
Nn={total:En,rows:[[xn,2],2]},
Tn=[xn,2,Zs,2],
we={name:An,text:I,"needed?":!0,"piped?":!0},
ei={title:I,consent:I,contact:I,languages:[qs,1,j],collector:/^(https?:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*)?$/,about:Ue,questions:[Ue,1]},
ti={...we,answers:Ft},
ni={...we,answers:Ft,reports:[{..._e,means:Mt},2,ge],table:Nn,blank:Tn,about:Ke},
M={choice:[ti],table:[ni,Js]};
var Ms=2**48,
Ws=64,
Hr=256,
Ks=["groups?","assigned?","ticks?","coin?","beside?"];
function lt(e){let t=JSON.parse(e);b(M(t)===e&&!Ur(t,1),"form");let{languages:n,questions:r}=t;bn(t,Xs,n),new URL(t.collector,"https://a"),r.forEach((i,a)=>Gs(i,n,`questions[${a}].`)),b(v(r.map(({name:i})=>i)),"name"),b(t.size===kn(r),"size");let o=wn.filter(({detect:i})=>i?.(t));o.forEach(({shapes:i})=>bn(t,i,n)),o.forEach(({validate:i})=>i?.(t)),b(t.ending===void 0||o.some(({name:i})=>i==="ending"),"ending");let s=o.some(({version:i=2})=>i>1);return b(t.askance===(s?"form-2":"form-1"),"askance"),t}
function kn(e){let n=e.map(r=>`"${r.name}":,`.length+_s(r));return Math.ceil((128+C(n))/Hr)*Hr}
function _s(e){let{kind:t,answers:n,reports:r}=e;return A[t]?A[t].maxLength(e):Math.max(4,`${(r??n).length-1}`.length)}
function Gs(e,t,n){b(Object.keys(U).includes(e.kind),`${n}kind`);let[r,o=We]=U[e.kind];b(Ks.every(s=>s in r||!(s.slice(0,-1)in e)),`${n}kind`),bn(e,r,t,n),b(o(e),n)}
function bn(e,t,n,r=""){for(let o in t)b(Pr(e,o,t[o],n),r+o)}
function Pr(e,t,n,r){let o=t.replace("?","");return Object.hasOwn(e,o)?se(e[o],n,r):o!==t}
function se(e,t,n){if(typeof t=="function")return t(e,n);if(Array.isArray(t)){if(Fr(t))return Dr([e],t);let[r,o,s=oe,i=1/0]=t;return!oe(e)||e.length<o||e.length>i?!1:(Fr(r)?Dr(e,r):e.every(c=>se(c,r,n)))&&s(e)}return t?.test?Me(e,t):t===null||typeof t!="object"?e===t:Ue(e)&&Object.keys(t).every(r=>Pr(e,r,t[r],n))}
var Fr=e=>Number.isInteger(e[0]),
Dr=(e,[t,n=1/0])=>e.every(Number.isInteger)&&!e.some(r=>r<t||r>n),
zs=({table:e,answers:t,reports:n})=>xn(e,t,n.map(({means:r})=>r));
function xn({total:e,rows:t},n,r){return t.length===n.length&&t.every(s=>s.length===r.length&&C(s)===e)&&r.flat().every(s=>s<n.length)}
var we=e=>v(e.map(({name:t})=>t)),
Vs=({length:e,0:t,1:n})=>e===2&&t<n;
function N(e,t){return!Ue(e)||Object.keys(e).length!==t.length?!1:t.every(n=>Object.hasOwn(e,n)&&ie(e[n]))}
var Me=(e,t)=>typeof e=="string"&&t.test(e),
ie=e=>Me(e,Js),
Qs=e=>e!==""&&ie(e),
We=()=>!0,
oe=e=>Array.isArray(e),
Ue=e=>e!==null&&typeof e=="object"&&!oe(e),
Ht=e=>$(e-1,Ms),
v=e=>new Set(e).size===e.length;
function Ur(e,t){if(typeof e=="number")return!Number.isSafeInteger(e);if(e===null||typeof e!="object")return!1;let n=Object.values(e);return t>Ws||!n.every(Number.isSafeInteger)&&n.some(r=>Ur(r,t+1))}
function b(e,t){if(!e)throw new TypeError(t)}
var Js=/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]*$/u,
Sn=/^[a-z][a-z0-9_]{0,39}$/,
Zs=/^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?(-x(-[A-Za-z0-9]{1,8})+)?$/,
Ke={name:Qs,label:N},
Bt=[Ke,2,we],
Pt=[[0],1,v],
yn=[0,2**48],
On=[1,2**48],
ut=[yn,1],
An={total:On,rows:[[yn,2],2]},
En=[yn,2,Vs,2],
be={name:Sn,text:N,"needed?":!0,"piped?":!0},
Xs={title:N,consent:N,contact:N,languages:[Zs,1,v],collector:/^(https?:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*)?$/,about:Ue,questions:[Ue,1]},
Ys={...be,answers:Bt},
qs={...be,answers:Bt,reports:[{...Ke,means:Pt},2,we],table:An,blank:En,about:We},
U={choice:[Ys],table:[qs,zs]};
