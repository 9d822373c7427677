function wholePhrase(n,[o,u],t){const{words:s}=t,[e,i]=[numberAt(n,o)+1,numberAt(n,u)],[r,l]=[e,i].map(a=>shown(n,a,t)),c=t.inside(n.unit);return u===n.ticks?tidy(s.orMore(r,c)):tidy(e===i?`${r} ${c}`:s.fromTo(r,l,c))}
var fewerThan=(n,{words:o})=>o.fewerNumbers(n);
function holdsOne({line:n,cuts:o},u){const t=remainder({line:n,cuts:o},u),s=([e,i])=>i===n.ticks||e===0&&n.lower!=="-1";return n.whole===!0&&n.step==="1"&&t.length===1&&t[0][1]-t[0][0]===1&&!s(t[0])}
function canHoldOne(n){const{kind:o,line:u,ring:t}=n,s=({a:e,first:i,last:r})=>i<=e+1&&e+1<=r&&t.weights[e]>0;return o==="ring"?pairRows(t).some(e=>s(e)&&holdsOne(n,[e.a,e.a+1])):o==="cuts"&&u.whole===!0&&narrowest(n).some(e=>holdsOne(n,e)&&canBeLeft(n,e))}
function narrowest({line:{ticks:n},cuts:{open:o,weights:u}}){const t=Array(n).fill(!1);o.forEach(([e,i])=>t.fill(!0,e,i));const s=e=>e===0||e===n||u[e-1]>0;return t.flatMap((e,i)=>{let[r,l]=[i,i+1];for(;!e&&t[r-1];)r-=1;for(;!e&&t[l];)l+=1;for(;r<i&&!s(r);)r+=1;for(;l>i+1&&!s(l);)l-=1;return!e&&s(r)&&s(l)?[[r,l]]:[]})}
function canBeLeft({line:n,cuts:{number:o,floor:u}},[t,s]){const e=[[0,t],[s,n.ticks]].filter(([r,l])=>r<l),i=u?.rule==="skip"?[[t,s],...e]:[[t,s]];return e.length<=o&&(u===null||i.every(r=>keeps(u,r)))}
rangeTexts.whole=wholePhrase,rangeTexts.wholeSize=fewerThan,Object.assign(oddsTexts,{holdsOne,canHoldOne});
