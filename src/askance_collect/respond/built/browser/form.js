var ps=2**48,
dn=1e5,
ms=64,
hr=256,
hs=/^[a-z][a-z0-9_]{0,39}$/,
gs=/^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?(-x(-[A-Za-z0-9]{1,8})+)?$/,
ws=/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\p{Cs}]/u,
bs=/^(https?:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([A-Za-z0-9_.~-]+\/)*)?$/;
function ot(e){let t=JSON.parse(e);p(F(t)===e&&!gr(t,1),"form");let{languages:n,questions:r}=t;p(A(n)&&n.length>0&&M(n),"languages"),p(n.every(a=>D(a,gs)),"languages");for(let a of["title","consent","contact"])p(R({...t}[a],n),a);p(D(t.collector,bs),"collector"),p(P(t.about),"about"),p(A(r)&&r.length>0,"questions"),r.forEach((a,c)=>ks(a,n,`questions[${c}]`));let o=r.map(({name:a})=>a);p(M(o)&&o.every(a=>D(a,hs)),"name"),p(t.size===ln(r),"size");let s=an.filter(({detect:a})=>a(t));s.forEach(({validate:a})=>a?.(t)),p(t.ending===void 0||s.some(({name:a})=>a==="ending"),"ending");let i=s.some(({version:a=2})=>a>1);return p(t.askance===(i?"form-2":"form-1"),"askance"),t}
function ln(e){let n=e.map(r=>`"${r.name}":,`.length+ys(r));return Math.ceil((128+C(n))/hr)*hr}
function ys(e){let{kind:t,answers:n,reports:r}=e;return T[t]?T[t].maxLength(e):Math.max(4,`${(r??n).length-1}`.length)}
function ks(e,t,n){p(P(e)&&Object.keys(pe).includes(e.kind),`${n}.kind`),p(R(e.text,t),`${n}.text`),p(e.groups===void 0||e.kind==="table",`${n}.groups`),p(e.coin===void 0||e.kind==="choice",`${n}.coin`),pe[e.kind](e,t,n)}
var pe={choice({answers:e,coin:t},n,r){Oe(e,n,`${r}.answers`),p(t===void 0||x.validateCoin(t,e,n),`${r}.coin`)},table:un};
function un({answers:e,reports:t,table:n,blank:r,about:o,groups:s},i,a){Oe(e,i,`${a}.answers`),Oe(t,i,`${a}.reports`),fn(r,`${a}.blank`),p(o!==void 0,`${a}.about`),p(P(n)&&Ae(n.total)&&Pe(n.total),`${a}.table.total`),p(A(n.rows)&&n.rows.length===e.length,`${a}.table.rows`);for(let c of n.rows)p(A(c)&&c.length===t.length&&c.every(Ae),`${a}.table.rows`),p(C(c)===n.total,`${a}.table.rows`);for(let{means:c}of t)p(A(c)&&c.length>0&&M(c),`${a}.reports`),p(c.every(d=>y(d,e.length)),`${a}.reports`);p(s===void 0||x.validateGroups(s,n,i),`${a}.groups`)}
function Nt(e,t,n,r=dn){p(P(e)&&R(e.unit,t),n),p(y(e.ticks,r+1)&&e.ticks>=2,`${n}.ticks`);let[o,s]=[_(e.lower),_(e.step)];p(o!==void 0&&s!==void 0&&s[0]>0n,n),p(e.whole===void 0||e.whole===!0&&oe(o)&&oe(s),`${n}.whole`)}
function Oe(e,t,n){p(A(e)&&e.length>=2&&e.every(P),n),p(e.every(({name:r})=>rt(r)&&r!==""),n),p(M(e.map(({name:r})=>r)),n),p(e.every(({label:r})=>R(r,t)),n)}
function fn(e,t){p(A(e)&&e.length===2&&e.every(Ae),t),p(e[0]<e[1]&&Pe(e[1]),t)}
function R(e,t){return!P(e)||Object.keys(e).length!==t.length?!1:t.every(n=>Object.hasOwn(e,n)&&rt(e[n]))}
var D=(e,t)=>typeof e=="string"&&t.test(e),
rt=e=>typeof e=="string"&&!ws.test(e),
A=e=>Array.isArray(e),
P=e=>e!==null&&typeof e=="object"&&!A(e),
Ae=e=>y(e,1/0),
Pe=e=>y(e-1,ps),
M=e=>new Set(e).size===e.length;
function gr(e,t){return typeof e=="number"?!Number.isSafeInteger(e):!P(e)&&!A(e)?!1:t>ms||Object.values(e).some(n=>gr(n,t+1))}
function p(e,t){if(!e)throw new TypeError(t)}
var As=2**48,
Es=64,
Tr=256,
Ns=["groups","assigned","ticks","coin","beside"];
function dt(e){let t=JSON.parse(e);b(M(t)===e&&!Lr(t,1),"form");let{languages:n,questions:r}=t;gn(t,Bs,n),new URL(t.collector,"https://a"),r.forEach((i,a)=>Ls(i,n,`questions[${a}].`)),b(j(r.map(({name:i})=>i)),"name"),b(t.size===bn(r),"size");let o=hn.filter(({detect:i})=>i?.(t));o.forEach(({shapes:i})=>gn(t,i,n)),o.forEach(({validate:i})=>i?.(t)),b(t.ending===void 0||o.some(({name:i})=>i==="ending"),"ending");let s=o.some(({version:i=2})=>i>1);return b(t.askance===(s?"form-2":"form-1"),"askance"),t}
function bn(e){let n=e.map(r=>`"${r.name}":,`.length+Ts(r));return Math.ceil((128+I(n))/Tr)*Tr}
function Ts(e){let{kind:t,answers:n,reports:r}=e;return A[t]?A[t].maxLength(e):Math.max(4,`${(r??n).length-1}`.length)}
function Ls(e,t,n){b(Object.keys(F).includes(e.kind),`${n}kind`);let[r,o=De]=F[e.kind];b(Ns.every(s=>!(s in e)||`${s}?`in r),`${n}kind`),gn(e,r,t,n),b(o(e),n)}
function gn(e,t,n,r=""){for(let o in t)b(oe(e,{[o]:t[o]},n),r+o)}
function oe(e,t,n){let r=(c,d)=>oe(c,d,n);if(typeof t=="function")return t(e,n);if(t?.test)return Pe(e,t);if(pe(t)){let c=(d,u=d.replace("?",""))=>Object.hasOwn(e,u)?r(e[u],t[d]):u!==d;return pe(e)&&Object.keys(t).every(d=>c(d))}if(!J(t))return e===t;let[o,s=1/0,i=J,a=1/0]=t;return Number.isInteger(o)?Number.isInteger(e)&&e>=o&&e<=s:J(e)&&e.length>=s&&e.length<=a&&e.every(c=>r(c,o))&&i(e)}
var Is=({table:e,answers:t,reports:n})=>yn(e,t,n.map(({means:r})=>r));
function yn({total:e,rows:t},n,r){return t.length===n.length&&t.every(s=>s.length===r.length&&I(s)===e)&&r.flat().every(s=>s<n.length)}
var me=e=>j(e.map(({name:t})=>t)),
Cs=({length:e,0:t,1:n})=>e===2&&t<n;
function $(e,t){return!pe(e)||Object.keys(e).length!==t.length?!1:t.every(n=>Object.hasOwn(e,n)&&se(e[n]))}
var Pe=(e,t)=>typeof e=="string"&&t.test(e),
se=e=>Pe(e,Rs),
$s=e=>e!==""&&se(e),
De=()=>!0,
J=e=>Array.isArray(e),
pe=e=>e!==null&&typeof e=="object"&&!J(e),
Ht=e=>C(e-1,As),
j=e=>new Set(e).size===e.length;
function Lr(e,t){return typeof e=="number"?!Number.isSafeInteger(e):!pe(e)&&!J(e)?!1:t>Es||Object.values(e).some(n=>Lr(n,t+1))}
function b(e,t){if(!e)throw new TypeError(t)}
var Rs=/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]*$/u,
kn=/^[a-z][a-z0-9_]{0,39}$/,
js=/^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?(-x(-[A-Za-z0-9]{1,8})+)?$/,
Fe={name:$s,label:$},
vt=[Fe,2,me],
Pt=[[0],1,j],
wn=[0,2**48],
xn=[1,2**48],
lt=[wn,1],
Sn={total:xn,rows:[[wn,2],2]},
On=[wn,2,Cs,2],
he={name:kn,text:$,"needed?":!0,"piped?":!0},
Bs={title:$,consent:$,contact:$,languages:[js,1,j],collector:/^(https?:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*)?$/,about:pe,questions:[pe,1]},
vs={...he,answers:vt},
Hs={...he,answers:vt,reports:[{...Fe,means:Pt},2,me],table:Sn,blank:On,about:De},
F={choice:[vs],table:[Hs,Is]};
