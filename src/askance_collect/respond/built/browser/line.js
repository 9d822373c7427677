var fs=/^(-?)([0-9]{1,15})(?:\.([0-9]{1,15})|\/([0-9]{1,15}))?$/;
function _(e){let t=typeof e=="string"?fs.exec(e):null;if(!t)return;let[,n,r,o="",s="1"]=t,i=BigInt(r+o)*(n?-1n:1n),a=BigInt(s)*10n**BigInt(o.length);return a===0n?void 0:[i,a]}
var oe=([e,t])=>e%t===0n;
function It(e,t,n){let r=s=>Number((e*s+t-1n)/t),o=10n**BigInt(n);return Number.isSafeInteger(r(o))?r(o)/Number(o):r(1n)}
function K(e,t){let{low:n,step:r,below:o}=mr(e);return Number(n+BigInt(t)*r)/Number(o)}
var pr=e=>_(e)??[0n,1n],
mr=Ne(e=>{let[t,n]=pr(e.lower),[r,o]=pr(e.step);return{low:t*o,step:r*n,below:n*o}}),
fe=e=>e.whole?1:0;
function He(e,t){if(e.whole&&!oe(t))return;let[n,r]=cn(e,t),o=Number((n+r-1n)/r)-1;return n<=0n?0:Math.min(o,e.ticks-1)}
function cn(e,[t,n]){let r=mr(e);return[t*r.below-r.low*n,r.step*n]}
var Ge=/^(-?)([0-9]{1,15})(?:\.([0-9]{1,15})|\/(?!0+$)([0-9]{1,15}))?$/;
function W(e){let[,t,n,r="",o="1"]=Ge.exec(e)??[];return[BigInt(n+r)*(t?-1n:1n),BigInt(o)*10n**BigInt(r.length)]}
var ie=([e,t])=>e%t===0n;
function Kt(e,t,n){let r=s=>Number((e*s+t-1n)/t),o=10n**BigInt(n);return Number.isSafeInteger(r(o))?r(o)/Number(o):r(1n)}
function K(e,t){let{low:n,step:r,below:o}=Vr(e);return Number(n+BigInt(t)*r)/Number(o)}
var Vr=$e(e=>{let[t,n]=W(e.lower),[r,o]=W(e.step);return{low:t*o,step:r*n,below:n*o}}),
we=e=>e.whole?1:0;
function ze(e,t){if(e.whole&&!ie(t))return;let[n,r]=Rn(e,t),o=Number((n+r-1n)/r)-1;return n<=0n?0:Math.min(o,e.ticks-1)}
function Rn(e,[t,n]){let r=Vr(e);return[t*r.below-r.low*n,r.step*n]}
