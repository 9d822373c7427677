var ua=/^[=+\-@\t\r']/,
fa=60,
pa=(e,t=e.name)=>Ie(e)?[`${t}_above`,`${t}_upto`]:[t];
function ma(e,t){let{line:n,answers:r,reports:o}=e;if(Ie(e)){let[s,i]=t??[0,n.ticks];return[s>0?Kn(n,s):"",i<n.ticks?Kn(n,i):""]}return t===null?[""]:typeof t=="string"?[ho(t)]:n?[Kn(n,t)]:[ho((o??r)[t].name)]}
function bo(e,t,n){let r=ma(e,t);return Object.fromEntries(pa(e,n).map((o,s)=>[o,r[s]]))}
var ho=e=>ua.test(e)?`'${e}`:e;
function Kn(e,t){let[[n,r],[o,s]]=[e.lower,e.step].map(f=>W(f)),[i,a]=ha(n*s+BigInt(t)*o*r,r*s),c=Math.max(wo(2n,a),wo(5n,a)),d=10n**BigInt(c);if(d%a!==0n||c>fa)return`${i}/${a}`;let u=`${go(i*d/a)}`.padStart(c+1,"0"),l=u.length-c;return`${i<0n?"-":""}${u.slice(0,l)}${c>0?`.${u.slice(l)}`:""}`}
var go=e=>e<0n?-e:e;
function ha(e,t){let[n,r]=[go(e),t];for(;r>0n;)[n,r]=[r,n%r];return[e/n,t/n]}
function wo(e,t){let[n,r]=[0,t];for(;r%e===0n;)[n,r]=[n+1,r/e];return n}
