var Na=/^[=+\-@\t\r']/,
Ta=60,
La=(e,t=e.name)=>ve(e)?[`${t}_above`,`${t}_upto`]:[t];
function Ia(e,t){let{line:n,answers:r,reports:o}=e;if(ve(e)){let[s,i]=t??[0,n.ticks];return[s>0?Yn(n,s):"",i<n.ticks?Yn(n,i):""]}return t===null?[""]:typeof t=="string"?[Lo(t)]:n?[Yn(n,t)]:[Lo((o??r)[t].name)]}
function Co(e,t,n){let r=Ia(e,t);return Object.fromEntries(La(e,n).map((o,s)=>[o,r[s]]))}
var Lo=e=>Na.test(e)?`'${e}`:e;
function Yn(e,t){let[[n,r],[o,s]]=[e.lower,e.step].map(f=>W(f)),[i,a]=$a(n*s+BigInt(t)*o*r,r*s),c=Math.max($o(2n,a),$o(5n,a)),d=10n**BigInt(c);if(d%a!==0n||c>Ta)return`${i}/${a}`;let u=`${Io(i*d/a)}`.padStart(c+1,"0"),l=u.length-c;return`${i<0n?"-":""}${u.slice(0,l)}${c>0?`.${u.slice(l)}`:""}`}
var Io=e=>e<0n?-e:e;
function $a(e,t){let[n,r]=[Io(e),t];for(;r>0n;)[n,r]=[r,n%r];return[e/n,t/n]}
function $o(e,t){let[n,r]=[0,t];for(;r%e===0n;)[n,r]=[n+1,r/e];return n}
