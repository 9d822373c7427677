var as=/^(-?)([0-9]{1,15})(?:\.([0-9]{1,15})|\/([0-9]{1,15}))?$/;
function _(e){let t=typeof e=="string"?as.exec(e):null;if(!t)return;let[,n,r,o="",s="1"]=t,i=BigInt(r+o)*(n?-1n:1n),a=BigInt(s)*10n**BigInt(o.length);return a===0n?void 0:[i,a]}
var oe=([e,t])=>e%t===0n;
function Lt(e,t,n){let r=s=>Number((e*s+t-1n)/t),o=10n**BigInt(n);return Number.isSafeInteger(r(o))?r(o)/Number(o):r(1n)}
function K(e,t){let{low:n,step:r,below:o}=fr(e);return Number(n+BigInt(t)*r)/Number(o)}
var ur=e=>_(e)??[0n,1n],
fr=Le(e=>{let[t,n]=ur(e.lower),[r,o]=ur(e.step);return{low:t*o,step:r*n,below:n*o}}),
le=e=>e.whole?1:0;
function je(e,t){if(e.whole&&!oe(t))return;let[n,r]=an(e,t),o=Number((n+r-1n)/r)-1;return n<=0n?0:Math.min(o,e.ticks-1)}
function an(e,[t,n]){let r=fr(e);return[t*r.below-r.low*n,r.step*n]}
