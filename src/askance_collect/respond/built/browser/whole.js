function zl(e,[t,n],r){let{words:o}=r,[s,i]=[K(e,t)+1,K(e,n)],[a,c]=[s,i].map(u=>ge(e,u,r)),d=r.inside(e.unit);return n===e.ticks?Ee(o.orMore(a,d)):Ee(s===i?`${a} ${d}`:o.fromTo(a,c,d))}
var Vl=(e,{words:t})=>t.fewerNumbers(e);
function tr({line:e,cuts:t},n){let r=ke({line:e,cuts:t},n),o=([s,i])=>i===e.ticks||s===0&&e.lower!=="-1";return e.whole===!0&&e.step==="1"&&r.length===1&&r[0][1]-r[0][0]===1&&!o(r[0])}
function Ql(e){let{kind:t,line:n,ring:r}=e,o=({a:s,first:i,last:a})=>i<=s+1&&s+1<=a&&r.weights[s]>0;return t==="ring"?re(r).some(s=>o(s)&&tr(e,[s.a,s.a+1])):t==="cuts"&&n.whole===!0&&Jl(e).some(s=>tr(e,s)&&Zl(e,s))}
function Jl({line:{ticks:e},cuts:{open:t,weights:n}}){let r=Array(e).fill(!1);t.forEach(([s,i])=>r.fill(!0,s,i));let o=s=>s===0||s===e||n[s-1]>0;return r.flatMap((s,i)=>{let[a,c]=[i,i+1];for(;!s&&r[a-1];)a-=1;for(;!s&&r[c];)c+=1;for(;a<i&&!o(a);)a+=1;for(;c>i+1&&!o(c);)c-=1;return!s&&o(a)&&o(c)?[[a,c]]:[]})}
function Zl({line:e,cuts:{number:t,floor:n}},[r,o]){let s=[[0,r],[o,e.ticks]].filter(([a,c])=>a<c),i=n?.rule==="skip"?[[r,o],...s]:[[r,o]];return s.length<=t&&(n===null||i.every(a=>J(n,a)))}
be.whole=zl,be.wholeSize=Vl,Object.assign($,{holdsOne:tr,canHoldOne:Ql});
function Vl(e,[t,n],r){let{words:o}=r,[s,i]=[K(e,t)+1,K(e,n)],[a,c]=[s,i].map(u=>be(e,u,r)),d=r.inside(e.unit);return n===e.ticks?Ne(o.orMore(a,d)):Ne(s===i?`${a} ${d}`:o.fromTo(a,c,d))}
var Ql=(e,{words:t})=>t.fewerNumbers(e);
function hr({line:e,cuts:t},n){let r=Se({line:e,cuts:t},n),o=([s,i])=>i===e.ticks||s===0&&e.lower!=="-1";return e.whole===!0&&e.step==="1"&&r.length===1&&r[0][1]-r[0][0]===1&&!o(r[0])}
function Jl(e){let{kind:t,line:n,ring:r}=e,o=({a:s,first:i,last:a})=>i<=s+1&&s+1<=a&&r.weights[s]>0;return t==="ring"?re(r).some(s=>o(s)&&hr(e,[s.a,s.a+1])):t==="cuts"&&n.whole===!0&&Zl(e).some(s=>hr(e,s)&&Xl(e,s))}
function Zl({line:{ticks:e},cuts:{open:t,weights:n}}){let r=Array(e).fill(!1);t.forEach(([s,i])=>r.fill(!0,s,i));let o=s=>s===0||s===e||n[s-1]>0;return r.flatMap((s,i)=>{let[a,c]=[i,i+1];for(;!s&&r[a-1];)a-=1;for(;!s&&r[c];)c+=1;for(;a<i&&!o(a);)a+=1;for(;c>i+1&&!o(c);)c-=1;return!s&&o(a)&&o(c)?[[a,c]]:[]})}
function Xl({line:e,cuts:{number:t,floor:n}},[r,o]){let s=[[0,r],[o,e.ticks]].filter(([a,c])=>a<c),i=n?.rule==="skip"?[[r,o],...s]:[[r,o]];return s.length<=t&&(n===null||i.every(a=>V(n,a)))}
ke.whole=Vl,ke.wholeSize=Ql,Object.assign(E,{holdsOne:hr,canHoldOne:Jl});
