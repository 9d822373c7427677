var Fs=2**48,
Ds=64,
Br=256,
Ms=["groups?","assigned?","ticks?","coin?","beside?"];
function lt(e){let t=JSON.parse(e);b(U(t)===e&&!Hr(t,1),"form");let{languages:n,questions:r}=t;bn(t,Qs,n),new URL(t.collector,"https://a"),r.forEach((i,a)=>Ws(i,n,`questions[${a}].`)),b(v(r.map(({name:i})=>i)),"name"),b(t.size===kn(r),"size");let o=wn.filter(({detect:i})=>i?.(t));o.forEach(({shapes:i})=>bn(t,i,n)),o.forEach(({validate:i})=>i?.(t)),b(t.ending===void 0||o.some(({name:i})=>i==="ending"),"ending");let s=o.some(({version:i=2})=>i>1);return b(t.askance===(s?"form-2":"form-1"),"askance"),t}
function kn(e){let n=e.map(r=>`"${r.name}":,`.length+Us(r));return Math.ceil((128+C(n))/Br)*Br}
function Us(e){let{kind:t,answers:n,reports:r}=e;return A[t]?A[t].maxLength(e):Math.max(4,`${(r??n).length-1}`.length)}
function Ws(e,t,n){b(Object.keys(M).includes(e.kind),`${n}kind`);let[r,o=We]=M[e.kind];b(Ms.every(s=>s in r||!(s.slice(0,-1)in e)),`${n}kind`),bn(e,r,t,n),b(o(e),n)}
function bn(e,t,n,r=""){for(let o in t)b(ee(e,{[o]:t[o]},n),r+o)}
function ee(e,t,n){if(Z(t)){if(Number.isInteger(t[0]))return Number.isInteger(e)&&e>=t[0]&&!(e>t[1]);let[o,s,i=Z,a=1/0]=t;return Z(e)&&e.length>=s&&e.length<=a&&e.every(d=>ee(d,o,n))&&i(e)}if(typeof t=="function")return t(e,n);if(t?.test)return Ue(e,t);if(!ge(t))return e===t;let r=(o,s=o.replace("?",""))=>Object.hasOwn(e,s)?ee(e[s],t[o],n):s!==o;return ge(e)&&Object.keys(t).every(o=>r(o))}
var Ks=({table:e,answers:t,reports:n})=>xn(e,t,n.map(({means:r})=>r));
function xn({total:e,rows:t},n,r){return t.length===n.length&&t.every(s=>s.length===r.length&&C(s)===e)&&r.flat().every(s=>s<n.length)}
var we=e=>v(e.map(({name:t})=>t)),
_s=({length:e,0:t,1:n})=>e===2&&t<n;
function I(e,t){return!ge(e)||Object.keys(e).length!==t.length?!1:t.every(n=>Object.hasOwn(e,n)&&ie(e[n]))}
var Ue=(e,t)=>typeof e=="string"&&t.test(e),
ie=e=>Ue(e,zs),
Gs=e=>e!==""&&ie(e),
We=()=>!0,
Z=e=>Array.isArray(e),
ge=e=>e!==null&&typeof e=="object"&&!Z(e),
Ht=e=>$(e-1,Fs),
v=e=>new Set(e).size===e.length;
function Hr(e,t){return typeof e=="number"?!Number.isSafeInteger(e):!ge(e)&&!Z(e)?!1:t>Ds||Object.values(e).some(n=>Hr(n,t+1))}
function b(e,t){if(!e)throw new TypeError(t)}
var zs=/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]*$/u,
Sn=/^[a-z][a-z0-9_]{0,39}$/,
Vs=/^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?(-x(-[A-Za-z0-9]{1,8})+)?$/,
Ke={name:Gs,label:I},
Bt=[Ke,2,we],
Pt=[[0],1,v],
yn=[0,2**48],
On=[1,2**48],
ut=[yn,1],
An={total:On,rows:[[yn,2],2]},
En=[yn,2,_s,2],
be={name:Sn,text:I,"needed?":!0,"piped?":!0},
Qs={title:I,consent:I,contact:I,languages:[Vs,1,v],collector:/^(https?:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*)?$/,about:ge,questions:[ge,1]},
Js={...be,answers:Bt},
Zs={...be,answers:Bt,reports:[{...Ke,means:Pt},2,we],table:An,blank:En,about:We},
M={choice:[Js],table:[Zs,Ks]};
