function nextCut({cuts:{weights:n,floor:t}},r,[e,i]){const s=t?.rule==="skip";for(const u of r.slice(1)){const c=pick(n,u)+1;if(e<c&&c<i&&!(s&&!(keeps(t,[e,c])&&keeps(t,[c,i]))))return c}}
function cells(n,t){if(n.kind!=="ring")return parted(n,t,[0,n.line.ticks]);const[r,e]=pairAt(n.ring,t[1]);return[[r,e],[e,r]]}
function cellOf(n,t,r,e){if(n.kind==="ring"){const[o,f]=cells(n,r);return o[0]<=t&&t<o[1]?o:f}const{floor:i,number:s,open:u}=n.cuts;if(u.some(([o,f])=>o<=t&&t<f))return[t,t+1];const c=narrowed(n,t,r,e??s);return i?.rule==="withhold"&&!keeps(i,c)?null:c}
function remainder({line:n,cuts:t},[r,e]){if(r>e)return[[0,e],[r,n.ticks]];const i=(t?.open??[]).filter(([c,o])=>r<o&&c<e),s=[r,...i.map(([,c])=>c)],u=[...i.map(([c])=>c),e];return s.map((c,o)=>[c,u[o]]).filter(([c,o])=>c<o)}
function stepIn(n,t){return remainder(n,t)[0]?.[0]}
function keeps({sizes:n,least:t},[r,e]){return between(n,r,e)+(r<=e?0:sum(n))>=t}
function between(n,t,r){const e=running(n);return e[r]-e[t]}
var pairRows=once(({weights:n,sizes:t,least:r})=>{const e=running(t),i=[0].concat(running(n)),s=e[t.length],u=[];let c=0,o=0;return n.forEach((f,d)=>{const l=d+1;for(;c<e.length&&e[c]<e[l]+r;)c+=1;for(;o<n.length&&e[o+1]<=e[l]+s-r;)o+=1;const a=c<=o?f*(i[o+1]-i[c]):0;a>0&&u.push({a:l,first:c,last:o,units:a})}),u}),
sum=n=>running(n)[n.length],
largest=n=>n.reduce((t,r)=>r>t?r:t);
function pick(n,t){const r=running(n);let[e,i]=[0,n.length];for(;e<i;){const s=e+i>>1;r[s+1]>t?i=s:e=s+1}if(e<n.length)return e;throw new RangeError("draws: past the end")}
function parted(n,t,r){const e=nextCut(n,t,r);return e===void 0?[r]:[...parted(n,t,[r[0],e]),...parted(n,t,[e,r[1]])]}
function narrowed(n,t,r,e){let i=[0,n.line.ticks];for(let s=0;s<e;s+=1){const u=nextCut(n,r,i);if(u===void 0)break;i=u<=t?[u,i[1]]:[i[0],u]}return i}
function pairAt(n,t){let r=t;for(const{a:e,first:i,units:s}of pairRows(n)){if(r<s){const u=running(n.weights)[i-1];return[e,1+pick(n.weights,u+Math.floor(r/n.weights[e-1]))]}r-=s}throw new RangeError("draws: past the end")}
var running=once(n=>{const t=[0];for(const r of n)t.push(t[t.length-1]+r);return t});
function once(n){const t=new WeakMap;return r=>(t.has(r)||t.set(r,n(r)),t.get(r))}
