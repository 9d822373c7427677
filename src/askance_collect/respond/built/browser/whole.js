function hf(e,[t,n],r){let{words:o}=r,[s,i]=[_(e,t)+1,_(e,n)];return n===e.ticks?he(e,s,r,o.orMore):s===i?he(e,i,r):he(e,i,r,(a,c)=>o.fromTo(Ee(e,s,r),a,c))}
var gf=(e,{words:t})=>t.fewerNumbers(e);
function Rr({line:e,cuts:t},n){let r=Le({line:e,cuts:t},n),o=([s,i])=>i===e.ticks||s===0&&e.lower!=="-1";return e.whole===!0&&e.step==="1"&&r.length===1&&r[0][1]-r[0][0]===1&&!o(r[0])}
function wf(e){let{kind:t,line:n,ring:r}=e,o=({a:s,first:i,last:a})=>i<=s+1&&s+1<=a&&r.weights[s]>0;return t==="ring"?ce(r).some(s=>o(s)&&Rr(e,[s.a,s.a+1])):t==="cuts"&&n.whole===!0&&bf(e).some(s=>Rr(e,s)&&yf(e,s))}
function bf({line:{ticks:e},cuts:{open:t,weights:n}}){let r=Array(e).fill(!1);t.forEach(([s,i])=>r.fill(!0,s,i));let o=s=>s===0||s===e||n[s-1]>0;return r.flatMap((s,i)=>{let[a,c]=[i,i+1];for(;!s&&r[a-1];)a-=1;for(;!s&&r[c];)c+=1;for(;a<i&&!o(a);)a+=1;for(;c>i+1&&!o(c);)c-=1;return!s&&o(a)&&o(c)?[[a,c]]:[]})}
function yf({line:e,cuts:{number:t,floor:n}},[r,o]){let s=[[0,r],[o,e.ticks]].filter(([a,c])=>a<c),i=n?.rule==="skip"?[[r,o],...s]:[[r,o]];return s.length<=t&&(n===null||i.every(a=>Z(n,a)))}
ee.whole=hf,ee.wholeSize=gf,Object.assign(E,{holdsOne:Rr,canHoldOne:wf});
