var Aa=/^[=+\-@\t\r']/,
Ea=60,
Na=(e,t=e.name)=>Ce(e)?[`${t}_above`,`${t}_upto`]:[t];
function Ta(e,t){let{line:n,answers:r,reports:o}=e;if(Ce(e)){let[s,i]=t??[0,n.ticks];return[s>0?Jn(n,s):"",i<n.ticks?Jn(n,i):""]}return t===null?[""]:typeof t=="string"?[No(t)]:n?[Jn(n,t)]:[No((o??r)[t].name)]}
function Io(e,t,n){let r=Ta(e,t);return Object.fromEntries(Na(e,n).map((o,s)=>[o,r[s]]))}
var No=e=>Aa.test(e)?`'${e}`:e;
function Jn(e,t){let[[n,r],[o,s]]=[e.lower,e.step].map(f=>W(f)),[i,a]=La(n*s+BigInt(t)*o*r,r*s),c=Math.max(Lo(2n,a),Lo(5n,a)),d=10n**BigInt(c);if(d%a!==0n||c>Ea)return`${i}/${a}`;let u=`${To(i*d/a)}`.padStart(c+1,"0"),l=u.length-c;return`${i<0n?"-":""}${u.slice(0,l)}${c>0?`.${u.slice(l)}`:""}`}
var To=e=>e<0n?-e:e;
function La(e,t){let[n,r]=[To(e),t];for(;r>0n;)[n,r]=[r,n%r];return[e/n,t/n]}
function Lo(e,t){let[n,r]=[0,t];for(;r%e===0n;)[n,r]=[n+1,r/e];return n}
