var pa=/^[=+\-@\t\r']/,
ma=60,
ha=(e,t=e.name)=>Ce(e)?[`${t}_above`,`${t}_upto`]:[t];
function ga(e,t){let{line:n,answers:r,reports:o}=e;if(Ce(e)){let[s,i]=t??[0,n.ticks];return[s>0?zn(n,s):"",i<n.ticks?zn(n,i):""]}return t===null?[""]:typeof t=="string"?[So(t)]:n?[zn(n,t)]:[So((o??r)[t].name)]}
function Eo(e,t,n){let r=ga(e,t);return Object.fromEntries(ha(e,n).map((o,s)=>[o,r[s]]))}
var So=e=>pa.test(e)?`'${e}`:e;
function zn(e,t){let[[n,r],[o,s]]=[e.lower,e.step].map(f=>W(f)),[i,a]=wa(n*s+BigInt(t)*o*r,r*s),c=Math.max(Ao(2n,a),Ao(5n,a)),d=10n**BigInt(c);if(d%a!==0n||c>ma)return`${i}/${a}`;let u=`${Oo(i*d/a)}`.padStart(c+1,"0"),l=u.length-c;return`${i<0n?"-":""}${u.slice(0,l)}${c>0?`.${u.slice(l)}`:""}`}
var Oo=e=>e<0n?-e:e;
function wa(e,t){let[n,r]=[Oo(e),t];for(;r>0n;)[n,r]=[r,n%r];return[e/n,t/n]}
function Ao(e,t){let[n,r]=[0,t];for(;r%e===0n;)[n,r]=[n+1,r/e];return n}
