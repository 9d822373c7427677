var Ie=({kind:e})=>e==="cuts"||e==="ring",
Gt=({kind:e,ask:t})=>e==="cuts"&&t==="narrow",
Se=({kind:e,cuts:t})=>e==="cuts"&&t.floor?.rule==="withhold",
ee=({kind:e,cuts:t})=>e==="cuts"?t.open:[],
Oe={},
Le=e=>e.replace(/ +/g," ").trim();
function de(e,t,n){return vn(wt(e,t,n),n)}
var vn=(e,{language:t})=>e.charAt(0).toLocaleUpperCase(t)+e.slice(1);
function wt(e,t,n){let r=Ee(e,t);return(r.length>0?r:[t]).map(s=>Jr(e.line,s,n)).join(n.words.or)}
function Jr(e,[t,n],r){let{words:o}=r,[s,i]=[t,n].map(c=>xe(e,K(e,c),r)),a=r.inside(e.unit);return e.whole&&t>0?Oe.whole(e,[t,n],r):Le(t===0?n===e.ticks?o.anyNumber:o.orLess(i,a):n===e.ticks?o.moreThan(s,a):o.between(s,i,a))}
var Ve=(e,t,n)=>Le(`${xe(e,t,n)} ${n.inside(e.unit)}`),
bt=(e,t,n)=>Ve(e,K(e,t),n),
Bn=(e,t)=>bt({...e,lower:"0"},1,t);
function xe(e,t,{number:n,grouped:r}){return K(e,e.ticks)<1e4?n(t):r(t)}
function Xr({cuts:{floor:e}},[t,n],{words:r,number:o}){if(e===null||Zr(e))return"";let[s,i]=[qe(e.sizes,t,n),C(e.sizes)];return s===i?"":r.holds(o(Number(100n*BigInt(s)/BigInt(i))))}
function Zr({sizes:e}){let t=e.filter(n=>n>0);return t.every(n=>n===t[0])}
function Yr(e,t,n){return[Ci(e,t,n),...ji(e,n),...Bi(e,n)]}
function Ci(e,t,n){let{words:r}=n;if(Gt(e))return r.narrowHow;if(e.typed)return Oe.typed(n);let o=d=>xe(e.line,K(e.line,d),n),s=d=>d>0&&d<e.line.ticks,i=ve(e,t).flat().filter(s),a=[...new Set(i)].sort((d,u)=>d-u).map(o);return a.length===0?r.cutNone:$i(e)?r.cutFixed(n.list(a)):(e.kind==="ring"?r.cutRing:a.length>1?r.cutMany:r.cutOne)(n.list(a),...Ri(e).map(o))}
function $i({kind:e,cuts:t,ring:n}){let r=s=>s.filter(i=>i>0).length===1;if(e==="cuts")return r(t.weights);let o=re(n);return o.length===1&&r(n.weights.slice(o[0].first-1,o[0].last))}
function Ri({kind:e,cuts:t,ring:n}){let{weights:r}=e==="ring"?n:t,o=r.flatMap((a,c)=>a>0?[c+1]:[]);if(e==="cuts")return[o[0],o[o.length-1]];let s=re(n),i=Ne(s.map(a=>a.last));return[s[0].a,Ne(o.filter(a=>a<=i))]}
function ji(e,t){let{words:n}=t,r=e.kind==="ring"?e.ring:e.cuts.floor;if(r===null)return[];let o=vi(e.line,r,t);return[Se(e)?n.withheld(o):n.neverSent(o)]}
function vi(e,t,n){let{words:r,number:o,inside:s}=n,{sizes:i,least:a}=t;if(Zr(t)){let c=K({...e,lower:"0"},Math.ceil(a/Ne(i))),d=xe(e,c,n);return e.whole?Oe.wholeSize(d,n):Le(r.narrowerThan(d,s(e.unit)))}return r.fewerThan(o(Number(BigInt(a)*1000n/BigInt(C(i)))/10))}
function Bi(e,t){let{line:n}=e,{words:r}=t;if(ee(e).length===0)return[];let o=n.step==="1"?"":r.inSteps(Bn(n,t));return[r.exactly(Hn(e,t),o)]}
function Hn(e,t){return ee(e).map(r=>Jr(e.line,r,t)).join(t.words.or)}
function qr(e,t){let{words:n}=t,{blank:r}=e,o=[n.rangeTells];return Gt(e)&&o.push(n.stopTells),Se(e)&&r[0]===0&&o.push(n.blankRulesOut),Se(e)&&r[0]>0&&o.push(n.blankRatio(t.number(_t(BigInt(r[1]),BigInt(r[0]),2)))),o.join(" ")}
