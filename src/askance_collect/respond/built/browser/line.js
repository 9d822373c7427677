var rs=/^(-?)([0-9]{1,15})(?:\.([0-9]{1,15})|\/([0-9]{1,15}))?$/;
function G(e){let t=typeof e=="string"?rs.exec(e):null;if(!t)return;let[,n,r,o="",s="1"]=t,i=BigInt(r+o)*(n?-1n:1n),a=BigInt(s)*10n**BigInt(o.length);return a===0n?void 0:[i,a]}
var oe=([e,t])=>e%t===0n;
function Et(e,t,n){let r=s=>Number((e*s+t-1n)/t),o=10n**BigInt(n);return Number.isSafeInteger(r(o))?r(o)/Number(o):r(1n)}
function _(e,t){let{low:n,step:r,below:o}=cr(e);return Number(n+BigInt(t)*r)/Number(o)}
var ar=e=>G(e)??[0n,1n],
cr=$e(e=>{let[t,n]=ar(e.lower),[r,o]=ar(e.step);return{low:t*o,step:r*n,below:n*o}}),
le=e=>e.whole?1:0;
function Tt(e,t){if(e.whole&&!oe(t))return;let[n,r]=on(e,t),o=Number((n+r-1n)/r)-1;return n<=0n?0:Math.min(o,e.ticks-1)}
function on(e,[t,n]){let r=cr(e);return[t*r.below-r.low*n,r.step*n]}
