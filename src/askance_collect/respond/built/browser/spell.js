var Gi=/^[=+\-@\t\r']/,
zi=60,
Vi=(e,t=e.name)=>Te(e)?[`${t}_above`,`${t}_upto`]:[t];
function Qi(e,t){let{line:n,answers:r,reports:o}=e;if(Te(e)){let[s,i]=t??[0,n.ticks];return[s>0?Ln(n,s):"",i<n.ticks?Ln(n,i):""]}return t===null?[""]:typeof t=="string"?[Yr(t)]:n?[Ln(n,t)]:[Yr((o??r)[t].name)]}
function eo(e,t,n){let r=Qi(e,t);return Object.fromEntries(Vi(e,n).map((o,s)=>[o,r[s]]))}
var Yr=e=>Gi.test(e)?`'${e}`:e;
function Ln(e,t){let[[n,r],[o,s]]=[e.lower,e.step].map(f=>_(f)??[0n,1n]),[i,a]=Ji(n*s+BigInt(t)*o*r,r*s),c=Math.max(qr(2n,a),qr(5n,a)),d=10n**BigInt(c);if(d%a!==0n||c>zi)return`${i}/${a}`;let u=`${Xr(i*d/a)}`.padStart(c+1,"0"),l=u.length-c;return`${i<0n?"-":""}${u.slice(0,l)}${c>0?`.${u.slice(l)}`:""}`}
var Xr=e=>e<0n?-e:e;
function Ji(e,t){let[n,r]=[Xr(e),t];for(;r>0n;)[n,r]=[r,n%r];return[e/n,t/n]}
function qr(e,t){let[n,r]=[0,t];for(;r%e===0n;)[n,r]=[n+1,r/e];return n}
var Yi=/^[=+\-@\t\r']/,
qi=60,
ea=(e,t=e.name)=>Te(e)?[`${t}_above`,`${t}_upto`]:[t];
function ta(e,t){let{line:n,answers:r,reports:o}=e;if(Te(e)){let[s,i]=t??[0,n.ticks];return[s>0?Mn(n,s):"",i<n.ticks?Mn(n,i):""]}return t===null?[""]:typeof t=="string"?[co(t)]:n?[Mn(n,t)]:[co((o??r)[t].name)]}
function fo(e,t,n){let r=ta(e,t);return Object.fromEntries(ea(e,n).map((o,s)=>[o,r[s]]))}
var co=e=>Yi.test(e)?`'${e}`:e;
function Mn(e,t){let[[n,r],[o,s]]=[e.lower,e.step].map(f=>W(f)),[i,a]=na(n*s+BigInt(t)*o*r,r*s),c=Math.max(uo(2n,a),uo(5n,a)),d=10n**BigInt(c);if(d%a!==0n||c>qi)return`${i}/${a}`;let u=`${lo(i*d/a)}`.padStart(c+1,"0"),l=u.length-c;return`${i<0n?"-":""}${u.slice(0,l)}${c>0?`.${u.slice(l)}`:""}`}
var lo=e=>e<0n?-e:e;
function na(e,t){let[n,r]=[lo(e),t];for(;r>0n;)[n,r]=[r,n%r];return[e/n,t/n]}
function uo(e,t){let[n,r]=[0,t];for(;r%e===0n;)[n,r]=[n+1,r/e];return n}
