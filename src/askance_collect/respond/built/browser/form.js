var ri=2**48,
oi=64,
zr=256,
si=["groups?","assigned?","ticks?","coin?","beside?"];
function pt(e){let t=JSON.parse(e);w(U(t)===e&&!Zr(t,1),"form");let{languages:n,questions:r}=t;En(t,pi,n),new URL(t.collector,"https://a"),r.forEach((i,a)=>ai(i,n,`questions[${a}].`)),w(H(r.map(({name:i})=>i)),"name"),w(t.size===Tn(r),"size");let o=An.filter(({detect:i})=>i?.(t));o.forEach(({shapes:i})=>En(t,i,n)),o.forEach(({validate:i})=>i?.(t)),w(t.ending===void 0||o.some(({name:i})=>i==="ending"),"ending");let s=o.some(({version:i=2})=>i>1);return w(t.askance===(s?"form-2":"form-1"),"askance"),t}
function Tn(e){let n=e.map(r=>`"${r.name}":,`.length+ii(r));return Math.ceil((128+$(n))/zr)*zr}
function ii(e){let{kind:t,answers:n,reports:r}=e;return O[t]?O[t].maxLength(e):Math.max(4,`${(r??n).length-1}`.length)}
function ai(e,t,n){w(Object.keys(M).includes(e.kind),`${n}kind`);let[r,o=Ge]=M[e.kind];w(si.every(s=>s in r||!(s.slice(0,-1)in e)),`${n}kind`),En(e,r,t,n),w(o(e),n)}
function En(e,t,n,r=""){for(let o in t)w(Vr(e,o,t[o],n),r+o)}
function Vr(e,t,n,r){let o=t.replace("?","");return Object.hasOwn(e,o)?de(e[o],n,r):o!==t}
function de(e,t,n){if(typeof t=="function")return t(e,n);if(Array.isArray(t)){if(Qr(t))return Jr([e],t);let[r,o,s=ce,i=1/0]=t;return!ce(e)||e.length<o||e.length>i?!1:(Qr(r)?Jr(e,r):e.every(c=>de(c,r,n)))&&s(e)}return t?.test?Ke(e,t):t===null||typeof t!="object"?e===t:_e(e)&&Object.keys(t).every(r=>Vr(e,r,t[r],n))}
var Qr=e=>Number.isInteger(e[0]),
Jr=(e,[t,n=1/0])=>e.every(Number.isInteger)&&!e.some(r=>r<t||r>n),
ci=({table:e,answers:t,reports:n})=>Ln(e,t,n.map(({means:r})=>r));
function Ln({total:e,rows:t},n,r){return t.length===n.length&&t.every(s=>s.length===r.length&&$(s)===e)&&r.flat().every(s=>s<n.length)}
var xe=e=>H(e.map(({name:t})=>t)),
di=({length:e,0:t,1:n})=>e===2&&t<n;
function A(e,t){return!_e(e)||Object.keys(e).length!==t.length?!1:t.every(n=>Object.hasOwn(e,n)&&le(e[n]))}
var Ke=(e,t)=>typeof e=="string"&&t.test(e),
le=e=>Ke(e,ui),
li=e=>e!==""&&le(e),
Ge=()=>!0,
ce=e=>Array.isArray(e),
_e=e=>e!==null&&typeof e=="object"&&!ce(e),
Ut=e=>C(e-1,ri),
H=e=>new Set(e).size===e.length;
function Zr(e,t){if(typeof e=="number")return!Number.isSafeInteger(e);if(e===null||typeof e!="object")return!1;let n=Object.values(e);return t>oi||!n.every(Number.isSafeInteger)&&n.some(r=>Zr(r,t+1))}
function w(e,t){if(!e)throw new TypeError(t)}
var ui=/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]*$/u,
In=/^[a-z][a-z0-9_]{0,39}$/,
fi=/^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?(-x(-[A-Za-z0-9]{1,8})+)?$/,
ze={name:li,label:A},
Dt=[ze,2,xe],
Wt=[[0],1,H],
Nn=[0,2**48],
$n=[1,2**48],
mt=[Nn,1],
Cn={total:$n,rows:[[Nn,2],2]},
Rn=[Nn,2,di,2],
ne={name:In,text:A,"needed?":!0,"piped?":!0},
pi={title:A,consent:A,contact:A,languages:[fi,1,H],collector:/^(https?:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*)?$/,about:_e,questions:[_e,1]},
mi={...ne,answers:Dt},
hi={...ne,answers:Dt,reports:[{...ze,means:Wt},2,xe],table:Cn,blank:Rn,about:Ge},
M={choice:[mi],table:[hi,ci]};
