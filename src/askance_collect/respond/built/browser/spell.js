var Ni=/^[=+\-@\t\r']/,
Ci=60,
vi=(e,t=e.name)=>Oe(e)?[`${t}_above`,`${t}_upto`]:[t];
function Ri(e,t){let{line:n,answers:r,reports:o}=e;if(Oe(e)){let[s,i]=t??[0,n.ticks];return[s>0?Sn(n,s):"",i<n.ticks?Sn(n,i):""]}return t===null?[""]:typeof t=="string"?[_r(t)]:n?[Sn(n,t)]:[_r((o??r)[t].name)]}
function zr(e,t,n){let r=Ri(e,t);return Object.fromEntries(vi(e,n).map((o,s)=>[o,r[s]]))}
var _r=e=>Ni.test(e)?`'${e}`:e;
function Sn(e,t){let[[n,r],[o,s]]=[e.lower,e.step].map(f=>G(f)??[0n,1n]),[i,a]=ji(n*s+BigInt(t)*o*r,r*s),c=Math.max(Gr(2n,a),Gr(5n,a)),d=10n**BigInt(c);if(d%a!==0n||c>Ci)return`${i}/${a}`;let u=`${Kr(i*d/a)}`.padStart(c+1,"0"),l=u.length-c;return`${i<0n?"-":""}${u.slice(0,l)}${c>0?`.${u.slice(l)}`:""}`}
var Kr=e=>e<0n?-e:e;
function ji(e,t){let[n,r]=[Kr(e),t];for(;r>0n;)[n,r]=[r,n%r];return[e/n,t/n]}
function Gr(e,t){let[n,r]=[0,t];for(;r%e===0n;)[n,r]=[n+1,r/e];return n}
