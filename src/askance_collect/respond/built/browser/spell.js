var ya=/^[=+\-@\t\r']/,
ka=60,
xa=(e,t=e.name)=>Ce(e)?[`${t}_above`,`${t}_upto`]:[t];
function Sa(e,t){let{line:n,answers:r,reports:o}=e;if(Ce(e)){let[s,i]=t??[0,n.ticks];return[s>0?Qn(n,s):"",i<n.ticks?Qn(n,i):""]}return t===null?[""]:typeof t=="string"?[No(t)]:n?[Qn(n,t)]:[No((o??r)[t].name)]}
function Io(e,t,n){let r=Sa(e,t);return Object.fromEntries(xa(e,n).map((o,s)=>[o,r[s]]))}
var No=e=>ya.test(e)?`'${e}`:e;
function Qn(e,t){let[[n,r],[o,s]]=[e.lower,e.step].map(f=>W(f)),[i,a]=Oa(n*s+BigInt(t)*o*r,r*s),c=Math.max(Lo(2n,a),Lo(5n,a)),d=10n**BigInt(c);if(d%a!==0n||c>ka)return`${i}/${a}`;let u=`${To(i*d/a)}`.padStart(c+1,"0"),l=u.length-c;return`${i<0n?"-":""}${u.slice(0,l)}${c>0?`.${u.slice(l)}`:""}`}
var To=e=>e<0n?-e:e;
function Oa(e,t){let[n,r]=[To(e),t];for(;r>0n;)[n,r]=[r,n%r];return[e/n,t/n]}
function Lo(e,t){let[n,r]=[0,t];for(;r%e===0n;)[n,r]=[n+1,r/e];return n}
var ba=/^[=+\-@\t\r']/,
ya=60,
ka=(e,t=e.name)=>Ie(e)?[`${t}_above`,`${t}_upto`]:[t];
function xa(e,t){let{line:n,answers:r,reports:o}=e;if(Ie(e)){let[s,i]=t??[0,n.ticks];return[s>0?Vn(n,s):"",i<n.ticks?Vn(n,i):""]}return t===null?[""]:typeof t=="string"?[Eo(t)]:n?[Vn(n,t)]:[Eo((o??r)[t].name)]}
function Lo(e,t,n){let r=xa(e,t);return Object.fromEntries(ka(e,n).map((o,s)=>[o,r[s]]))}
var Eo=e=>ba.test(e)?`'${e}`:e;
function Vn(e,t){let[[n,r],[o,s]]=[e.lower,e.step].map(f=>W(f)),[i,a]=Sa(n*s+BigInt(t)*o*r,r*s),c=Math.max(To(2n,a),To(5n,a)),d=10n**BigInt(c);if(d%a!==0n||c>ya)return`${i}/${a}`;let u=`${No(i*d/a)}`.padStart(c+1,"0"),l=u.length-c;return`${i<0n?"-":""}${u.slice(0,l)}${c>0?`.${u.slice(l)}`:""}`}
var No=e=>e<0n?-e:e;
function Sa(e,t){let[n,r]=[No(e),t];for(;r>0n;)[n,r]=[r,n%r];return[e/n,t/n]}
function To(e,t){let[n,r]=[0,t];for(;r%e===0n;)[n,r]=[n+1,r/e];return n}
