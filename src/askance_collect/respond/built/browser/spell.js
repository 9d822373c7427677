var Ha=/^[=+\-@\t\r']/,
Pa=60,
Fa=(e,t=e.name)=>je(e)?[`${t}_above`,`${t}_upto`]:[t];
function Ma(e,t){let{line:n,answers:r,reports:o}=e;if(je(e)){let[s,i]=t??[0,n.ticks];return[s>0?tr(n,s):"",i<n.ticks?tr(n,i):""]}return t===null?[""]:typeof t=="string"?[Bo(t)]:n?[tr(n,t)]:[Bo((o??r)[t].name)]}
function Fo(e,t,n){let r=Ma(e,t);return Object.fromEntries(Fa(e,n).map((o,s)=>[o,r[s]]))}
var Bo=e=>Ha.test(e)?`'${e}`:e;
function tr(e,t){let[[n,r],[o,s]]=[e.lower,e.step].map(f=>W(f)),[i,a]=Da(n*s+BigInt(t)*o*r,r*s),c=Math.max(Po(2n,a),Po(5n,a)),d=10n**BigInt(c);if(d%a!==0n||c>Pa)return`${i}/${a}`;let u=`${Ho(i*d/a)}`.padStart(c+1,"0"),l=u.length-c;return`${i<0n?"-":""}${u.slice(0,l)}${c>0?`.${u.slice(l)}`:""}`}
var Ho=e=>e<0n?-e:e;
function Da(e,t){let[n,r]=[Ho(e),t];for(;r>0n;)[n,r]=[r,n%r];return[e/n,t/n]}
function Po(e,t){let[n,r]=[0,t];for(;r%e===0n;)[n,r]=[n+1,r/e];return n}
