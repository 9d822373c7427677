var zs=2**48,
Vs=64,
Dr=256,
Qs=["groups?","assigned?","ticks?","coin?","beside?"];
function ft(e){let t=JSON.parse(e);w(U(t)===e&&!Kr(t,1),"form");let{languages:n,questions:r}=t;On(t,ni,n),new URL(t.collector,"https://a"),r.forEach((i,a)=>Zs(i,n,`questions[${a}].`)),w(H(r.map(({name:i})=>i)),"name"),w(t.size===En(r),"size");let o=Sn.filter(({detect:i})=>i?.(t));o.forEach(({shapes:i})=>On(t,i,n)),o.forEach(({validate:i})=>i?.(t)),w(t.ending===void 0||o.some(({name:i})=>i==="ending"),"ending");let s=o.some(({version:i=2})=>i>1);return w(t.askance===(s?"form-2":"form-1"),"askance"),t}
function En(e){let n=e.map(r=>`"${r.name}":,`.length+Js(r));return Math.ceil((128+$(n))/Dr)*Dr}
function Js(e){let{kind:t,answers:n,reports:r}=e;return O[t]?O[t].maxLength(e):Math.max(4,`${(r??n).length-1}`.length)}
function Zs(e,t,n){w(Object.keys(M).includes(e.kind),`${n}kind`);let[r,o=Ge]=M[e.kind];w(Qs.every(s=>s in r||!(s.slice(0,-1)in e)),`${n}kind`),On(e,r,t,n),w(o(e),n)}
function On(e,t,n,r=""){for(let o in t)w(Mr(e,o,t[o],n),r+o)}
function Mr(e,t,n,r){let o=t.replace("?","");return Object.hasOwn(e,o)?ae(e[o],n,r):o!==t}
function ae(e,t,n){if(typeof t=="function")return t(e,n);if(Array.isArray(t)){if(Ur(t))return Wr([e],t);let[r,o,s=ie,i=1/0]=t;return!ie(e)||e.length<o||e.length>i?!1:(Ur(r)?Wr(e,r):e.every(c=>ae(c,r,n)))&&s(e)}return t?.test?_e(e,t):t===null||typeof t!="object"?e===t:Ke(e)&&Object.keys(t).every(r=>Mr(e,r,t[r],n))}
var Ur=e=>Number.isInteger(e[0]),
Wr=(e,[t,n=1/0])=>e.every(Number.isInteger)&&!e.some(r=>r<t||r>n),
Xs=({table:e,answers:t,reports:n})=>Nn(e,t,n.map(({means:r})=>r));
function Nn({total:e,rows:t},n,r){return t.length===n.length&&t.every(s=>s.length===r.length&&$(s)===e)&&r.flat().every(s=>s<n.length)}
var ye=e=>H(e.map(({name:t})=>t)),
Ys=({length:e,0:t,1:n})=>e===2&&t<n;
function A(e,t){return!Ke(e)||Object.keys(e).length!==t.length?!1:t.every(n=>Object.hasOwn(e,n)&&ce(e[n]))}
var _e=(e,t)=>typeof e=="string"&&t.test(e),
ce=e=>_e(e,ei),
qs=e=>e!==""&&ce(e),
Ge=()=>!0,
ie=e=>Array.isArray(e),
Ke=e=>e!==null&&typeof e=="object"&&!ie(e),
Mt=e=>C(e-1,zs),
H=e=>new Set(e).size===e.length;
function Kr(e,t){if(typeof e=="number")return!Number.isSafeInteger(e);if(e===null||typeof e!="object")return!1;let n=Object.values(e);return t>Vs||!n.every(Number.isSafeInteger)&&n.some(r=>Kr(r,t+1))}
function w(e,t){if(!e)throw new TypeError(t)}
var ei=/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]*$/u,
Tn=/^[a-z][a-z0-9_]{0,39}$/,
ti=/^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?(-x(-[A-Za-z0-9]{1,8})+)?$/,
ze={name:qs,label:A},
Dt=[ze,2,ye],
Ut=[[0],1,H],
An=[0,2**48],
Ln=[1,2**48],
pt=[An,1],
In={total:Ln,rows:[[An,2],2]},
$n=[An,2,Ys,2],
ke={name:Tn,text:A,"needed?":!0,"piped?":!0},
ni={title:A,consent:A,contact:A,languages:[ti,1,H],collector:/^(https?:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*)?$/,about:Ke,questions:[Ke,1]},
ri={...ke,answers:Dt},
oi={...ke,answers:Dt,reports:[{...ze,means:Ut},2,ye],table:In,blank:$n,about:Ge},
M={choice:[ri],table:[oi,Xs]};
