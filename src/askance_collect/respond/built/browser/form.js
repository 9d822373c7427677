var _s=2**48,
Gs=64,
Pr=256,
zs=["groups?","assigned?","ticks?","coin?","beside?"];
function ft(e){let t=JSON.parse(e);w(U(t)===e&&!Ur(t,1),"form");let{languages:n,questions:r}=t;kn(t,ei,n),new URL(t.collector,"https://a"),r.forEach((i,a)=>Qs(i,n,`questions[${a}].`)),w(B(r.map(({name:i})=>i)),"name"),w(t.size===Sn(r),"size");let o=yn.filter(({detect:i})=>i?.(t));o.forEach(({shapes:i})=>kn(t,i,n)),o.forEach(({validate:i})=>i?.(t)),w(t.ending===void 0||o.some(({name:i})=>i==="ending"),"ending");let s=o.some(({version:i=2})=>i>1);return w(t.askance===(s?"form-2":"form-1"),"askance"),t}
function Sn(e){let n=e.map(r=>`"${r.name}":,`.length+Vs(r));return Math.ceil((128+$(n))/Pr)*Pr}
function Vs(e){let{kind:t,answers:n,reports:r}=e;return O[t]?O[t].maxLength(e):Math.max(4,`${(r??n).length-1}`.length)}
function Qs(e,t,n){w(Object.keys(M).includes(e.kind),`${n}kind`);let[r,o=_e]=M[e.kind];w(zs.every(s=>s in r||!(s.slice(0,-1)in e)),`${n}kind`),kn(e,r,t,n),w(o(e),n)}
function kn(e,t,n,r=""){for(let o in t)w(Dr(e,o,t[o],n),r+o)}
function Dr(e,t,n,r){let o=t.replace("?","");return Object.hasOwn(e,o)?ie(e[o],n,r):o!==t}
function ie(e,t,n){if(typeof t=="function")return t(e,n);if(Array.isArray(t)){if(Fr(t))return Mr([e],t);let[r,o,s=se,i=1/0]=t;return!se(e)||e.length<o||e.length>i?!1:(Fr(r)?Mr(e,r):e.every(c=>ie(c,r,n)))&&s(e)}return t?.test?Ke(e,t):t===null||typeof t!="object"?e===t:We(e)&&Object.keys(t).every(r=>Dr(e,r,t[r],n))}
var Fr=e=>Number.isInteger(e[0]),
Mr=(e,[t,n=1/0])=>e.every(Number.isInteger)&&!e.some(r=>r<t||r>n),
Js=({table:e,answers:t,reports:n})=>On(e,t,n.map(({means:r})=>r));
function On({total:e,rows:t},n,r){return t.length===n.length&&t.every(s=>s.length===r.length&&$(s)===e)&&r.flat().every(s=>s<n.length)}
var we=e=>B(e.map(({name:t})=>t)),
Zs=({length:e,0:t,1:n})=>e===2&&t<n;
function E(e,t){return!We(e)||Object.keys(e).length!==t.length?!1:t.every(n=>Object.hasOwn(e,n)&&ae(e[n]))}
var Ke=(e,t)=>typeof e=="string"&&t.test(e),
ae=e=>Ke(e,Ys),
Xs=e=>e!==""&&ae(e),
_e=()=>!0,
se=e=>Array.isArray(e),
We=e=>e!==null&&typeof e=="object"&&!se(e),
Ft=e=>C(e-1,_s),
B=e=>new Set(e).size===e.length;
function Ur(e,t){if(typeof e=="number")return!Number.isSafeInteger(e);if(e===null||typeof e!="object")return!1;let n=Object.values(e);return t>Gs||!n.every(Number.isSafeInteger)&&n.some(r=>Ur(r,t+1))}
function w(e,t){if(!e)throw new TypeError(t)}
var Ys=/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]*$/u,
An=/^[a-z][a-z0-9_]{0,39}$/,
qs=/^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?(-x(-[A-Za-z0-9]{1,8})+)?$/,
Ge={name:Xs,label:E},
Dt=[Ge,2,we],
Mt=[[0],1,B],
xn=[0,2**48],
En=[1,2**48],
pt=[xn,1],
Nn={total:En,rows:[[xn,2],2]},
Tn=[xn,2,Zs,2],
be={name:An,text:E,"needed?":!0,"piped?":!0},
ei={title:E,consent:E,contact:E,languages:[qs,1,B],collector:/^(https?:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*)?$/,about:We,questions:[We,1]},
ti={...be,answers:Dt},
ni={...be,answers:Dt,reports:[{...Ge,means:Mt},2,we],table:Nn,blank:Tn,about:_e},
M={choice:[ti],table:[ni,Js]};
