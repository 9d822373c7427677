var os=2**48,
sn=1e5,
ss=64,
dr=256,
is=/^[a-z][a-z0-9_]{0,39}$/,
as=/^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?(-x(-[A-Za-z0-9]{1,8})+)?$/,
cs=/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\p{Cs}]/u,
ds=/^(https?:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([A-Za-z0-9_.~-]+\/)*)?$/;
function nt(e){let t=JSON.parse(e);p(F(t)===e&&!lr(t,1),"form");let{languages:n,questions:r}=t;p(E(n)&&n.length>0&&M(n),"languages"),p(n.every(a=>D(a,as)),"languages");for(let a of["title","consent","contact"])p(R({...t}[a],n),a);p(D(t.collector,ds),"collector"),p(P(t.about),"about"),p(E(r)&&r.length>0,"questions"),r.forEach((a,c)=>us(a,n,`questions[${c}]`));let o=r.map(({name:a})=>a);p(M(o)&&o.every(a=>D(a,is)),"name"),p(t.size===an(r),"size");let s=rn.filter(({detect:a})=>a(t));s.forEach(({validate:a})=>a?.(t)),p(t.ending===void 0||s.some(({name:a})=>a==="ending"),"ending");let i=s.some(({version:a=2})=>a>1);return p(t.askance===(i?"form-2":"form-1"),"askance"),t}
function an(e){let n=e.map(r=>`"${r.name}":,`.length+ls(r));return Math.ceil((128+C(n))/dr)*dr}
function ls(e){let{kind:t,answers:n,reports:r}=e;return T[t]?T[t].maxLength(e):Math.max(4,`${(r??n).length-1}`.length)}
function us(e,t,n){p(P(e)&&Object.keys(ue).includes(e.kind),`${n}.kind`),p(R(e.text,t),`${n}.text`),p(e.groups===void 0||e.kind==="table",`${n}.groups`),p(e.coin===void 0||e.kind==="choice",`${n}.coin`),ue[e.kind](e,t,n)}
var ue={choice({answers:e,coin:t},n,r){ye(e,n,`${r}.answers`),p(t===void 0||x.validateCoin(t,e,n),`${r}.coin`)},table:cn};
function cn({answers:e,reports:t,table:n,blank:r,about:o,groups:s},i,a){ye(e,i,`${a}.answers`),ye(t,i,`${a}.reports`),dn(r,`${a}.blank`),p(o!==void 0,`${a}.about`),p(P(n)&&ke(n.total)&&Re(n.total),`${a}.table.total`),p(E(n.rows)&&n.rows.length===e.length,`${a}.table.rows`);for(let c of n.rows)p(E(c)&&c.length===t.length&&c.every(ke),`${a}.table.rows`),p(C(c)===n.total,`${a}.table.rows`);for(let{means:c}of t)p(E(c)&&c.length>0&&M(c),`${a}.reports`),p(c.every(d=>y(d,e.length)),`${a}.reports`);p(s===void 0||x.validateGroups(s,n,i),`${a}.groups`)}
function $t(e,t,n,r=sn){p(P(e)&&R(e.unit,t),n),p(y(e.ticks,r+1)&&e.ticks>=2,`${n}.ticks`);let[o,s]=[G(e.lower),G(e.step)];p(o!==void 0&&s!==void 0&&s[0]>0n,n),p(e.whole===void 0||e.whole===!0&&oe(o)&&oe(s),`${n}.whole`)}
function ye(e,t,n){p(E(e)&&e.length>=2&&e.every(P),n),p(e.every(({name:r})=>tt(r)&&r!==""),n),p(M(e.map(({name:r})=>r)),n),p(e.every(({label:r})=>R(r,t)),n)}
function dn(e,t){p(E(e)&&e.length===2&&e.every(ke),t),p(e[0]<e[1]&&Re(e[1]),t)}
function R(e,t){return!P(e)||Object.keys(e).length!==t.length?!1:t.every(n=>Object.hasOwn(e,n)&&tt(e[n]))}
var D=(e,t)=>typeof e=="string"&&t.test(e),
tt=e=>typeof e=="string"&&!cs.test(e),
E=e=>Array.isArray(e),
P=e=>e!==null&&typeof e=="object"&&!E(e),
ke=e=>y(e,1/0),
Re=e=>y(e-1,os),
M=e=>new Set(e).size===e.length;
function lr(e,t){return typeof e=="number"?!Number.isSafeInteger(e):!P(e)&&!E(e)?!1:t>ss||Object.values(e).some(n=>lr(n,t+1))}
function p(e,t){if(!e)throw new TypeError(t)}
