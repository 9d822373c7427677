var ji=/^[=+\-@\t\r']/,
Bi=60,
Hi=(e,t=e.name)=>Ae(e)?[`${t}_above`,`${t}_upto`]:[t];
function Pi(e,t){let{line:n,answers:r,reports:o}=e;if(Ae(e)){let[s,i]=t??[0,n.ticks];return[s>0?En(n,s):"",i<n.ticks?En(n,i):""]}return t===null?[""]:typeof t=="string"?[zr(t)]:n?[En(n,t)]:[zr((o??r)[t].name)]}
function Jr(e,t,n){let r=Pi(e,t);return Object.fromEntries(Hi(e,n).map((o,s)=>[o,r[s]]))}
var zr=e=>ji.test(e)?`'${e}`:e;
function En(e,t){let[[n,r],[o,s]]=[e.lower,e.step].map(f=>_(f)??[0n,1n]),[i,a]=Mi(n*s+BigInt(t)*o*r,r*s),c=Math.max(Qr(2n,a),Qr(5n,a)),d=10n**BigInt(c);if(d%a!==0n||c>Bi)return`${i}/${a}`;let u=`${Vr(i*d/a)}`.padStart(c+1,"0"),l=u.length-c;return`${i<0n?"-":""}${u.slice(0,l)}${c>0?`.${u.slice(l)}`:""}`}
var Vr=e=>e<0n?-e:e;
function Mi(e,t){let[n,r]=[Vr(e),t];for(;r>0n;)[n,r]=[r,n%r];return[e/n,t/n]}
function Qr(e,t){let[n,r]=[0,t];for(;r%e===0n;)[n,r]=[n+1,r/e];return n}
