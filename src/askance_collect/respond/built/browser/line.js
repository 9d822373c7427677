var Ye=/^(-?)([0-9]{1,15})(?:\.([0-9]{1,15})|\/(?!0+$)([0-9]{1,15}))?$/;
function W(e){let[,t,n,r="",o="1"]=Ye.exec(e)??[];return[BigInt(n+r)*(t?-1n:1n),BigInt(o)*10n**BigInt(r.length)]}
var me=([e,t])=>e%t===0n;
function Qt(e,t,n){let r=s=>Number((e*s+t-1n)/t),o=10n**BigInt(n);return Number.isSafeInteger(r(o))?r(o)/Number(o):r(1n)}
function _(e,t){let{low:n,step:r,below:o}=go(e);return Number(n+BigInt(t)*r)/Number(o)}
var go=Pe(e=>{let[t,n]=W(e.lower),[r,o]=W(e.step);return{low:t*o,step:r*n,below:n*o}}),
Ae=e=>e.whole?1:0;
function qe(e,t){if(e.whole&&!me(t))return;let[n,r]=Vn(e,t),o=Number((n+r-1n)/r)-1;return n<=0n?0:Math.min(o,e.ticks-1)}
function Vn(e,[t,n]){let r=go(e);return[t*r.below-r.low*n,r.step*n]}
