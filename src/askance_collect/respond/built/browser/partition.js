function Ct({cuts:{weights:e,floor:t}},n,[r,o]){let s=t?.rule==="skip";for(let i of n.slice(1)){let a=Rt(e,i)+1;if(r<a&&a<o&&!(s&&!(Z(t,[r,a])&&Z(t,[a,o]))))return a}}
function Fe(e,t){if(e.kind!=="ring")return xn(e,t,[0,e.line.ticks]);let[n,r]=Vs(e.ring,t[1]);return[[n,r],[r,n]]}
function Sn(e,t,n,r){if(e.kind==="ring"){let[c,d]=Fe(e,n);return c[0]<=t&&t<c[1]?c:d}let{floor:o,number:s,open:i}=e.cuts;if(i.some(([c,d])=>c<=t&&t<d))return[t,t+1];let a=zs(e,t,n,r??s);return o?.rule==="withhold"&&!Z(o,a)?null:a}
function Le({line:e,cuts:t},[n,r]){if(n>r)return[[0,r],[n,e.ticks]];let o=(t?.open??[]).filter(([a,c])=>n<c&&a<r),s=[n,...o.map(([,a])=>a)],i=[...o.map(([a])=>a),r];return s.map((a,c)=>[a,i[c]]).filter(([a,c])=>a<c)}
function be(e,t){return Le(e,t)[0]?.[0]}
function Z({sizes:e,least:t},[n,r]){return it(e,n,r)+(n<=r?0:$(e))>=t}
function it(e,t,n){let r=He(e);return r[n]-r[t]}
var ce=Pe(({weights:e,sizes:t,least:n})=>{let r=He(t),o=[0].concat(He(e)),s=r[t.length],i=[],a=0,c=0;return e.forEach((d,u)=>{let l=u+1;for(;a<r.length&&r[a]<r[l]+n;)a+=1;for(;c<e.length&&r[c+1]<=r[l]+s-n;)c+=1;let f=a<=c?d*(o[c+1]-o[a]):0;f>0&&i.push({a:l,first:a,last:c,units:f})}),i}),
$=e=>He(e)[e.length],
Ie=e=>e.reduce((t,n)=>n>t?n:t);
function Rt(e,t){let n=He(e),[r,o]=[0,e.length];for(;r<o;){let s=r+o>>1;n[s+1]>t?o=s:r=s+1}if(r<e.length)return r;throw new RangeError("draws: past the end")}
function xn(e,t,n){let r=Ct(e,t,n);return r===void 0?[n]:[...xn(e,t,[n[0],r]),...xn(e,t,[r,n[1]])]}
function zs(e,t,n,r){let o=[0,e.line.ticks];for(let s=0;s<r;s+=1){let i=Ct(e,n,o);if(i===void 0)break;o=i<=t?[i,o[1]]:[o[0],i]}return o}
function Vs(e,t){let n=t;for(let{a:r,first:o,units:s}of ce(e)){if(n<s){let i=He(e.weights)[o-1];return[r,1+Rt(e.weights,i+Math.floor(n/e.weights[r-1]))]}n-=s}throw new RangeError("draws: past the end")}
var He=Pe(e=>{let t=[0];for(let n of e)t.push(t[t.length-1]+n);return t});
function Pe(e){let t=new WeakMap;return n=>(t.has(n)||t.set(n,e(n)),t.get(n))}
