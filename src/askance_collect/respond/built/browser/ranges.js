var Oe=({kind:e})=>e==="cuts"||e==="ring",
Rt=({kind:e,ask:t})=>e==="cuts"&&t==="narrow",
me=({kind:e,cuts:t})=>e==="cuts"&&t.floor?.rule==="withhold",
q=({kind:e,cuts:t})=>e==="cuts"?t.open:[],
he={},
Se=e=>e.replace(/ +/g," ").trim();
function se(e,t,n){return bn(ct(e,t,n),n)}
var bn=(e,{language:t})=>e.charAt(0).toLocaleUpperCase(t)+e.slice(1);
function ct(e,t,n){let r=Ke(e,t);return(r.length>0?r:[t]).map(s=>Lr(e.line,s,n)).join(n.words.or)}
function Lr(e,[t,n],r){let{words:o}=r,[s,i]=[t,n].map(c=>pe(e,_(e,c),r)),a=r.inside(e.unit);return e.whole&&t>0?he.whole(e,[t,n],r):Se(t===0?n===e.ticks?o.anyNumber:o.orLess(i,a):n===e.ticks?o.moreThan(s,a):o.between(s,i,a))}
var jt=(e,t,n)=>Se(`${pe(e,t,n)} ${n.inside(e.unit)}`),
dt=(e,t,n)=>jt(e,_(e,t),n),
yn=(e,t)=>dt({...e,lower:"0"},1,t);
function pe(e,t,{number:n,grouped:r}){return _(e,e.ticks)<1e4?n(t):r(t)}
function Nr({cuts:{floor:e}},[t,n],{words:r,number:o}){if(e===null||Ir(e))return"";let[s,i]=[Ge(e.sizes,t,n),C(e.sizes)];return s===i?"":r.holds(o(Number(100n*BigInt(s)/BigInt(i))))}
function Ir({sizes:e}){let t=e.filter(n=>n>0);return t.every(n=>n===t[0])}
function Cr(e,t,n){return[ni(e,t,n),...si(e,n),...ai(e,n)]}
function ni(e,t,n){let{words:r}=n;if(Rt(e))return r.narrowHow;if(e.typed)return he.typed(n);let o=d=>pe(e.line,_(e.line,d),n),s=d=>d>0&&d<e.line.ticks,i=Le(e,t).flat().filter(s),a=[...new Set(i)].sort((d,u)=>d-u).map(o);return a.length===0?r.cutNone:ri(e)?r.cutFixed(n.list(a)):(e.kind==="ring"?r.cutRing:a.length>1?r.cutMany:r.cutOne)(n.list(a),...oi(e).map(o))}
function ri({kind:e,cuts:t,ring:n}){let r=s=>s.filter(i=>i>0).length===1;if(e==="cuts")return r(t.weights);let o=re(n);return o.length===1&&r(n.weights.slice(o[0].first-1,o[0].last))}
function oi({kind:e,cuts:t,ring:n}){let{weights:r}=e==="ring"?n:t,o=r.flatMap((a,c)=>a>0?[c+1]:[]);if(e==="cuts")return[o[0],o[o.length-1]];let s=re(n),i=we(s.map(a=>a.last));return[s[0].a,we(o.filter(a=>a<=i))]}
function si(e,t){let{words:n}=t,r=e.kind==="ring"?e.ring:e.cuts.floor;if(r===null)return[];let o=ii(e.line,r,t);return[me(e)?n.withheld(o):n.neverSent(o)]}
function ii(e,t,n){let{words:r,number:o,inside:s}=n,{sizes:i,least:a}=t;if(Ir(t)){let c=_({...e,lower:"0"},Math.ceil(a/we(i))),d=pe(e,c,n);return e.whole?he.wholeSize(d,n):Se(r.narrowerThan(d,s(e.unit)))}return r.fewerThan(o(Number(BigInt(a)*1000n/BigInt(C(i)))/10))}
function ai(e,t){let{line:n}=e,{words:r}=t;if(q(e).length===0)return[];let o=n.step==="1"?"":r.inSteps(yn(n,t));return[r.exactly(kn(e,t),o)]}
function kn(e,t){return q(e).map(r=>Lr(e.line,r,t)).join(t.words.or)}
function vr(e,t){let{words:n}=t,{blank:r}=e,o=[n.rangeTells];return Rt(e)&&o.push(n.stopTells),me(e)&&r[0]===0&&o.push(n.blankRulesOut),me(e)&&r[0]>0&&o.push(n.blankRatio(t.number(Et(BigInt(r[1]),BigInt(r[0]),2)))),o.join(" ")}
