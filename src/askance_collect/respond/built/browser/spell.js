var ga=/^[=+\-@\t\r']/,
wa=60,
ba=(e,t=e.name)=>Ie(e)?[`${t}_above`,`${t}_upto`]:[t];
function ya(e,t){let{line:n,answers:r,reports:o}=e;if(Ie(e)){let[s,i]=t??[0,n.ticks];return[s>0?zn(n,s):"",i<n.ticks?zn(n,i):""]}return t===null?[""]:typeof t=="string"?[Eo(t)]:n?[zn(n,t)]:[Eo((o??r)[t].name)]}
function Lo(e,t,n){let r=ya(e,t);return Object.fromEntries(ba(e,n).map((o,s)=>[o,r[s]]))}
var Eo=e=>ga.test(e)?`'${e}`:e;
function zn(e,t){let[[n,r],[o,s]]=[e.lower,e.step].map(f=>W(f)),[i,a]=ka(n*s+BigInt(t)*o*r,r*s),c=Math.max(To(2n,a),To(5n,a)),d=10n**BigInt(c);if(d%a!==0n||c>wa)return`${i}/${a}`;let u=`${No(i*d/a)}`.padStart(c+1,"0"),l=u.length-c;return`${i<0n?"-":""}${u.slice(0,l)}${c>0?`.${u.slice(l)}`:""}`}
var No=e=>e<0n?-e:e;
function ka(e,t){let[n,r]=[No(e),t];for(;r>0n;)[n,r]=[r,n%r];return[e/n,t/n]}
function To(e,t){let[n,r]=[0,t];for(;r%e===0n;)[n,r]=[n+1,r/e];return n}
