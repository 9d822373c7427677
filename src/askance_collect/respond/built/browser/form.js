var ai=2**48,
ci=64,
zr=256,
di=["groups?","assigned?","ticks?","count?","coin?","beside?"];
function mt(e){let t=JSON.parse(e);w(U(t)===e&&!Zr(t,1),"form");let{languages:n,questions:r}=t;Ln(t,wi,n),new URL(t.collector,"https://a"),r.forEach((i,a)=>ui(i,n,`questions[${a}].`)),w(P(r.map(({name:i})=>i)),"name"),w(t.size===$n(r),"size");let o=Tn.filter(({detect:i})=>i?.(t));o.forEach(({shapes:i})=>Ln(t,i,n)),o.forEach(({validate:i})=>i?.(t)),w(t.ending===void 0||o.some(({name:i})=>i==="ending"),"ending");let s=o.some(({version:i=2})=>i>1);return w(t.askance===(s?"form-2":"form-1"),"askance"),t}
function $n(e){let n=e.map(r=>`"${r.name}":,`.length+li(r));return Math.ceil((128+$(n))/zr)*zr}
function li(e){let{kind:t,answers:n,reports:r}=e;return S[t]?S[t].maxLength(e):Math.max(4,`${(r??n).length-1}`.length)}
function ui(e,t,n){w(Object.keys(H).includes(e.kind),`${n}kind`);let[r,o=ze]=H[e.kind];w(di.every(s=>s in r||!(s.slice(0,-1)in e)),`${n}kind`),Ln(e,r,t,n),w(o(e),n)}
function Ln(e,t,n,r=""){for(let o in t)w(Vr(e,o,t[o],n),r+o)}
function Vr(e,t,n,r){let o=t.replace("?","");return Object.hasOwn(e,o)?le(e[o],n,r):o!==t}
function le(e,t,n){if(typeof t=="function")return t(e,n);if(Array.isArray(t)){if(Qr(t))return Jr([e],t);let[r,o,s=de,i=1/0]=t;return!de(e)||e.length<o||e.length>i?!1:(Qr(r)?Jr(e,r):e.every(c=>le(c,r,n)))&&s(e)}return t?.test?Ge(e,t):t===null||typeof t!="object"?e===t:Ke(e)&&Object.keys(t).every(r=>Vr(e,r,t[r],n))}
var Qr=e=>Number.isInteger(e[0]),
Jr=(e,[t,n=1/0])=>e.every(Number.isInteger)&&!e.some(r=>r<t||r>n),
fi=({table:e,answers:t,reports:n})=>Cn(e,t,n.map(({means:r})=>r));
function Cn({total:e,rows:t},n,r){return t.length===n.length&&t.every(s=>s.length===r.length&&$(s)===e)&&r.flat().every(s=>s<n.length)}
var Se=e=>P(e.map(({name:t})=>t)),
pi=({length:e,0:t,1:n})=>e===2&&t<n;
function O(e,t){return!Ke(e)||Object.keys(e).length!==t.length?!1:t.every(n=>Object.hasOwn(e,n)&&ue(e[n]))}
var Ge=(e,t)=>typeof e=="string"&&t.test(e),
ue=e=>Ge(e,hi),
mi=e=>e!==""&&ue(e),
ze=()=>!0,
de=e=>Array.isArray(e),
Ke=e=>e!==null&&typeof e=="object"&&!de(e),
Ut=e=>C(e-1,ai),
P=e=>new Set(e).size===e.length;
function Zr(e,t){if(typeof e=="number")return!Number.isSafeInteger(e);if(e===null||typeof e!="object")return!1;let n=Object.values(e);return t>ci||!n.every(Number.isSafeInteger)&&n.some(r=>Zr(r,t+1))}
function w(e,t){if(!e)throw new TypeError(t)}
var hi=/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]*$/u,
Rn=/^[a-z][a-z0-9_]{0,39}$/,
gi=/^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?(-x(-[A-Za-z0-9]{1,8})+)?$/,
Ve={name:mi,label:O},
Qe=[Ve,2,Se],
Wt=[[0],1,P],
In=[0,2**48],
jn=[1,2**48],
ht=[In,1],
vn={total:jn,rows:[[In,2],2]},
Bn=[In,2,pi,2],
re={name:Rn,text:O,"needed?":!0,"piped?":!0},
wi={title:O,consent:O,contact:O,languages:[gi,1,P],collector:/^(https?:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*)?$/,about:Ke,questions:[Ke,1]},
bi={...re,answers:Qe},
yi={...re,answers:Qe,reports:[{...Ve,means:Wt},2,Se],table:vn,blank:Bn,about:ze},
H={choice:[bi],table:[yi,fi]};
