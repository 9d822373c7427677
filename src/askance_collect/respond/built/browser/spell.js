var _a=/^[=+\-@\t\r']/,
Ka=60,
Ga=(e,t=e.name)=>je(e)?[`${t}_above`,`${t}_upto`]:[t];
function za(e,t){let{line:n,answers:r,reports:o}=e;if(je(e)){let s=t??[0,0];return s.map(i=>i>0&&(i<n.ticks||s[0]===0)?Fo(n,i):"")}return t===null?[""]:typeof t=="string"?[Po(t)]:n?[Fo(n,t)]:[Po((o??r)[t].name)]}
function Uo(e,t,n){let r=za(e,t);return Object.fromEntries(Ga(e,n).map((o,s)=>[o,r[s]]))}
var Po=e=>_a.test(e)?`'${e}`:e;
function Fo(e,t){let[[n,r],[o,s]]=[e.lower,e.step].map(f=>W(f)),[i,a]=Va(n*s+BigInt(t)*o*r,r*s),c=Math.max(Do(2n,a),Do(5n,a)),d=10n**BigInt(c);if(d%a!==0n||c>Ka)return`${i}/${a}`;let u=`${Mo(i*d/a)}`.padStart(c+1,"0"),l=u.length-c;return`${i<0n?"-":""}${u.slice(0,l)}${c>0?`.${u.slice(l)}`:""}`}
var Mo=e=>e<0n?-e:e;
function Va(e,t){let[n,r]=[Mo(e),t];for(;r>0n;)[n,r]=[r,n%r];return[e/n,t/n]}
function Do(e,t){let[n,r]=[0,t];for(;r%e===0n;)[n,r]=[n+1,r/e];return n}
