var Is=2**48,
Cs=64,
Ir=256,
$s=["groups?","assigned?","ticks?","coin?","beside?"];
function dt(e){let t=JSON.parse(e);b(F(t)===e&&!Cr(t,1),"form");let{languages:n,questions:r}=t;wn(t,Ms,n),new URL(t.collector,"https://a"),r.forEach((i,a)=>js(i,n,`questions[${a}].`)),b(j(r.map(({name:i})=>i)),"name"),b(t.size===yn(r),"size");let o=gn.filter(({detect:i})=>i?.(t));o.forEach(({shapes:i})=>wn(t,i,n)),o.forEach(({validate:i})=>i?.(t)),b(t.ending===void 0||o.some(({name:i})=>i==="ending"),"ending");let s=o.some(({version:i=2})=>i>1);return b(t.askance===(s?"form-2":"form-1"),"askance"),t}
function yn(e){let n=e.map(r=>`"${r.name}":,`.length+Rs(r));return Math.ceil((128+C(n))/Ir)*Ir}
function Rs(e){let{kind:t,answers:n,reports:r}=e;return A[t]?A[t].maxLength(e):Math.max(4,`${(r??n).length-1}`.length)}
function js(e,t,n){b(Object.keys(M).includes(e.kind),`${n}kind`);let[r,o=Fe]=M[e.kind];b($s.every(s=>s in r||!(s.slice(0,-1)in e)),`${n}kind`),wn(e,r,t,n),b(o(e),n)}
function wn(e,t,n,r=""){for(let o in t)b(oe(e,{[o]:t[o]},n),r+o)}
function oe(e,t,n){let r=(c,d)=>oe(c,d,n);if(typeof t=="function")return t(e,n);if(t?.test)return Me(e,t);if(he(t)){let c=(d,u=d.replace("?",""))=>Object.hasOwn(e,u)?r(e[u],t[d]):u!==d;return he(e)&&Object.keys(t).every(d=>c(d))}if(!Z(t))return e===t;let[o,s=1/0,i=Z,a=1/0]=t;return Number.isInteger(o)?Number.isInteger(e)&&e>=o&&e<=s:Z(e)&&e.length>=s&&e.length<=a&&e.every(c=>r(c,o))&&i(e)}
var vs=({table:e,answers:t,reports:n})=>kn(e,t,n.map(({means:r})=>r));
function kn({total:e,rows:t},n,r){return t.length===n.length&&t.every(s=>s.length===r.length&&C(s)===e)&&r.flat().every(s=>s<n.length)}
var ge=e=>j(e.map(({name:t})=>t)),
Bs=({length:e,0:t,1:n})=>e===2&&t<n;
function I(e,t){return!he(e)||Object.keys(e).length!==t.length?!1:t.every(n=>Object.hasOwn(e,n)&&se(e[n]))}
var Me=(e,t)=>typeof e=="string"&&t.test(e),
se=e=>Me(e,Ps),
Hs=e=>e!==""&&se(e),
Fe=()=>!0,
Z=e=>Array.isArray(e),
he=e=>e!==null&&typeof e=="object"&&!Z(e),
Pt=e=>$(e-1,Is),
j=e=>new Set(e).size===e.length;
function Cr(e,t){return typeof e=="number"?!Number.isSafeInteger(e):!he(e)&&!Z(e)?!1:t>Cs||Object.values(e).some(n=>Cr(n,t+1))}
function b(e,t){if(!e)throw new TypeError(t)}
var Ps=/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]*$/u,
xn=/^[a-z][a-z0-9_]{0,39}$/,
Ds=/^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?(-x(-[A-Za-z0-9]{1,8})+)?$/,
Ue={name:Hs,label:I},
Ht=[Ue,2,ge],
Dt=[[0],1,j],
bn=[0,2**48],
Sn=[1,2**48],
lt=[bn,1],
On={total:Sn,rows:[[bn,2],2]},
An=[bn,2,Bs,2],
we={name:xn,text:I,"needed?":!0,"piped?":!0},
Ms={title:I,consent:I,contact:I,languages:[Ds,1,j],collector:/^(https?:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*)?$/,about:he,questions:[he,1]},
Fs={...we,answers:Ht},
Us={...we,answers:Ht,reports:[{...Ue,means:Dt},2,ge],table:On,blank:An,about:Fe},
M={choice:[Fs],table:[Us,vs]};
