var WRITTEN=/^(-?)([0-9]{1,15})(?:\.([0-9]{1,15})|\/([0-9]{1,15}))?$/;
function fraction(n){const t=typeof n=="string"?WRITTEN.exec(n):null;if(!t)return;const[,o,e,r="",s="1"]=t,u=BigInt(e+r)*(o?-1n:1n),c=BigInt(s)*10n**BigInt(r.length);return c===0n?void 0:[u,c]}
var isInteger=([n,t])=>n%t===0n;
function roundedUp(n,t,o){const e=s=>Number((n*s+t-1n)/t),r=10n**BigInt(o);return Number.isSafeInteger(e(r))?e(r)/Number(r):e(1n)}
function numberAt(n,t){const{low:o,step:e,below:r}=scaleOf(n);return Number(o+BigInt(t)*e)/Number(r)}
var fractionOf=n=>fraction(n)??[0n,1n],
scaleOf=once(n=>{const[t,o]=fractionOf(n.lower),[e,r]=fractionOf(n.step);return{low:t*r,step:e*o,below:o*r}}),
firstTick=n=>n.whole?1:0;
function stepOf(n,t){if(n.whole&&!isInteger(t))return;const[o,e]=stepsAbove(n,t),r=Number((o+e-1n)/e)-1;return o<=0n?0:Math.min(r,n.ticks-1)}
function stepsAbove(n,[t,o]){const e=scaleOf(n);return[t*e.below-e.low*o,e.step*o]}
