function kt({cuts:{weights:e,floor:t}},n,[r,o]){let s=t?.rule==="skip";for(let i of n.slice(1)){let a=xt(e,i)+1;if(r<a&&a<o&&!(s&&!(J(t,[r,a])&&J(t,[a,o]))))return a}}
function Ce(e,t){if(e.kind!=="ring")return nn(e,t,[0,e.line.ticks]);let[n,r]=Xo(e.ring,t[1]);return[[n,r],[r,n]]}
function rn(e,t,n,r){if(e.kind==="ring"){let[c,d]=Ce(e,n);return c[0]<=t&&t<c[1]?c:d}let{floor:o,number:s,open:i}=e.cuts;if(i.some(([c,d])=>c<=t&&t<d))return[t,t+1];let a=Yo(e,t,n,r??s);return o?.rule==="withhold"&&!J(o,a)?null:a}
function ke({line:e,cuts:t},[n,r]){if(n>r)return[[0,r],[n,e.ticks]];let o=(t?.open??[]).filter(([a,c])=>n<c&&a<r),s=[n,...o.map(([,a])=>a)],i=[...o.map(([a])=>a),r];return s.map((a,c)=>[a,i[c]]).filter(([a,c])=>a<c)}
function de(e,t){return ke(e,t)[0]?.[0]}
function J({sizes:e,least:t},[n,r]){return Ve(e,n,r)+(n<=r?0:C(e))>=t}
function Ve(e,t,n){let r=Ie(e);return r[n]-r[t]}
var re=Ne(({weights:e,sizes:t,least:n})=>{let r=Ie(t),o=[0].concat(Ie(e)),s=r[t.length],i=[],a=0,c=0;return e.forEach((d,u)=>{let l=u+1;for(;a<r.length&&r[a]<r[l]+n;)a+=1;for(;c<e.length&&r[c+1]<=r[l]+s-n;)c+=1;let f=a<=c?d*(o[c+1]-o[a]):0;f>0&&i.push({a:l,first:a,last:c,units:f})}),i}),
C=e=>Ie(e)[e.length],
xe=e=>e.reduce((t,n)=>n>t?n:t);
function xt(e,t){let n=Ie(e),[r,o]=[0,e.length];for(;r<o;){let s=r+o>>1;n[s+1]>t?o=s:r=s+1}if(r<e.length)return r;throw new RangeError("draws: past the end")}
function nn(e,t,n){let r=kt(e,t,n);return r===void 0?[n]:[...nn(e,t,[n[0],r]),...nn(e,t,[r,n[1]])]}
function Yo(e,t,n,r){let o=[0,e.line.ticks];for(let s=0;s<r;s+=1){let i=kt(e,n,o);if(i===void 0)break;o=i<=t?[i,o[1]]:[o[0],i]}return o}
function Xo(e,t){let n=t;for(let{a:r,first:o,units:s}of re(e)){if(n<s){let i=Ie(e.weights)[o-1];return[r,1+xt(e.weights,i+Math.floor(n/e.weights[r-1]))]}n-=s}throw new RangeError("draws: past the end")}
var Ie=Ne(e=>{let t=[0];for(let n of e)t.push(t[t.length-1]+n);return t});
function Ne(e){let t=new WeakMap;return n=>(t.has(n)||t.set(n,e(n)),t.get(n))}
function Nt({cuts:{weights:e,floor:t}},n,[r,o]){let s=t?.rule==="skip";for(let i of n.slice(1)){let a=Tt(e,i)+1;if(r<a&&a<o&&!(s&&!(V(t,[r,a])&&V(t,[a,o]))))return a}}
function Re(e,t){if(e.kind!=="ring")return un(e,t,[0,e.line.ticks]);let[n,r]=ls(e.ring,t[1]);return[[n,r],[r,n]]}
function fn(e,t,n,r){if(e.kind==="ring"){let[c,d]=Re(e,n);return c[0]<=t&&t<c[1]?c:d}let{floor:o,number:s,open:i}=e.cuts;if(i.some(([c,d])=>c<=t&&t<d))return[t,t+1];let a=ds(e,t,n,r??s);return o?.rule==="withhold"&&!V(o,a)?null:a}
function Se({line:e,cuts:t},[n,r]){if(n>r)return[[0,r],[n,e.ticks]];let o=(t?.open??[]).filter(([a,c])=>n<c&&a<r),s=[n,...o.map(([,a])=>a)],i=[...o.map(([a])=>a),r];return s.map((a,c)=>[a,i[c]]).filter(([a,c])=>a<c)}
function le(e,t){return Se(e,t)[0]?.[0]}
function V({sizes:e,least:t},[n,r]){return qe(e,n,r)+(n<=r?0:I(e))>=t}
function qe(e,t,n){let r=Ce(e);return r[n]-r[t]}
var re=$e(({weights:e,sizes:t,least:n})=>{let r=Ce(t),o=[0].concat(Ce(e)),s=r[t.length],i=[],a=0,c=0;return e.forEach((d,u)=>{let l=u+1;for(;a<r.length&&r[a]<r[l]+n;)a+=1;for(;c<e.length&&r[c+1]<=r[l]+s-n;)c+=1;let f=a<=c?d*(o[c+1]-o[a]):0;f>0&&i.push({a:l,first:a,last:c,units:f})}),i}),
I=e=>Ce(e)[e.length],
Oe=e=>e.reduce((t,n)=>n>t?n:t);
function Tt(e,t){let n=Ce(e),[r,o]=[0,e.length];for(;r<o;){let s=r+o>>1;n[s+1]>t?o=s:r=s+1}if(r<e.length)return r;throw new RangeError("draws: past the end")}
function un(e,t,n){let r=Nt(e,t,n);return r===void 0?[n]:[...un(e,t,[n[0],r]),...un(e,t,[r,n[1]])]}
function ds(e,t,n,r){let o=[0,e.line.ticks];for(let s=0;s<r;s+=1){let i=Nt(e,n,o);if(i===void 0)break;o=i<=t?[i,o[1]]:[o[0],i]}return o}
function ls(e,t){let n=t;for(let{a:r,first:o,units:s}of re(e)){if(n<s){let i=Ce(e.weights)[o-1];return[r,1+Tt(e.weights,i+Math.floor(n/e.weights[r-1]))]}n-=s}throw new RangeError("draws: past the end")}
var Ce=$e(e=>{let t=[0];for(let n of e)t.push(t[t.length-1]+n);return t});
function $e(e){let t=new WeakMap;return n=>(t.has(n)||t.set(n,e(n)),t.get(n))}
