var Ma=/^[=+\-@\t\r']/,
Da=60,
Ua=(e,t=e.name)=>ve(e)?[`${t}_above`,`${t}_upto`]:[t];
function Wa(e,t){let{line:n,answers:r,reports:o}=e;if(ve(e)){let[s,i]=t??[0,n.ticks];return[s>0?nr(n,s):"",i<n.ticks?nr(n,i):""]}return t===null?[""]:typeof t=="string"?[Po(t)]:n?[nr(n,t)]:[Po((o??r)[t].name)]}
function Do(e,t,n){let r=Wa(e,t);return Object.fromEntries(Ua(e,n).map((o,s)=>[o,r[s]]))}
var Po=e=>Ma.test(e)?`'${e}`:e;
function nr(e,t){let[[n,r],[o,s]]=[e.lower,e.step].map(f=>W(f)),[i,a]=_a(n*s+BigInt(t)*o*r,r*s),c=Math.max(Mo(2n,a),Mo(5n,a)),d=10n**BigInt(c);if(d%a!==0n||c>Da)return`${i}/${a}`;let u=`${Fo(i*d/a)}`.padStart(c+1,"0"),l=u.length-c;return`${i<0n?"-":""}${u.slice(0,l)}${c>0?`.${u.slice(l)}`:""}`}
var Fo=e=>e<0n?-e:e;
function _a(e,t){let[n,r]=[Fo(e),t];for(;r>0n;)[n,r]=[r,n%r];return[e/n,t/n]}
function Mo(e,t){let[n,r]=[0,t];for(;r%e===0n;)[n,r]=[n+1,r/e];return n}
