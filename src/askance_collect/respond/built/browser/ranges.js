var Te=({kind:e})=>e==="cuts"||e==="ring",
Ht=({kind:e,ask:t})=>e==="cuts"&&t==="narrow",
we=({kind:e,cuts:t})=>e==="cuts"&&t.floor?.rule==="withhold",
ee=({kind:e,cuts:t})=>e==="cuts"?t.open:[],
be={},
Ee=e=>e.replace(/ +/g," ").trim();
function ae(e,t,n){return Sn(ut(e,t,n),n)}
var Sn=(e,{language:t})=>e.charAt(0).toLocaleUpperCase(t)+e.slice(1);
function ut(e,t,n){let r=ke(e,t);return(r.length>0?r:[t]).map(s=>vr(e.line,s,n)).join(n.words.or)}
function vr(e,[t,n],r){let{words:o}=r,[s,i]=[t,n].map(c=>ge(e,K(e,c),r)),a=r.inside(e.unit);return e.whole&&t>0?be.whole(e,[t,n],r):Ee(t===0?n===e.ticks?o.anyNumber:o.orLess(i,a):n===e.ticks?o.moreThan(s,a):o.between(s,i,a))}
var Fe=(e,t,n)=>Ee(`${ge(e,t,n)} ${n.inside(e.unit)}`),
ft=(e,t,n)=>Fe(e,K(e,t),n),
On=(e,t)=>ft({...e,lower:"0"},1,t);
function ge(e,t,{number:n,grouped:r}){return K(e,e.ticks)<1e4?n(t):r(t)}
function jr({cuts:{floor:e}},[t,n],{words:r,number:o}){if(e===null||Rr(e))return"";let[s,i]=[Ve(e.sizes,t,n),C(e.sizes)];return s===i?"":r.holds(o(Number(100n*BigInt(s)/BigInt(i))))}
function Rr({sizes:e}){let t=e.filter(n=>n>0);return t.every(n=>n===t[0])}
function Br(e,t,n){return[ui(e,t,n),...mi(e,n),...gi(e,n)]}
function ui(e,t,n){let{words:r}=n;if(Ht(e))return r.narrowHow;if(e.typed)return be.typed(n);let o=d=>ge(e.line,K(e.line,d),n),s=d=>d>0&&d<e.line.ticks,i=Ce(e,t).flat().filter(s),a=[...new Set(i)].sort((d,u)=>d-u).map(o);return a.length===0?r.cutNone:fi(e)?r.cutFixed(n.list(a)):(e.kind==="ring"?r.cutRing:a.length>1?r.cutMany:r.cutOne)(n.list(a),...pi(e).map(o))}
function fi({kind:e,cuts:t,ring:n}){let r=s=>s.filter(i=>i>0).length===1;if(e==="cuts")return r(t.weights);let o=re(n);return o.length===1&&r(n.weights.slice(o[0].first-1,o[0].last))}
function pi({kind:e,cuts:t,ring:n}){let{weights:r}=e==="ring"?n:t,o=r.flatMap((a,c)=>a>0?[c+1]:[]);if(e==="cuts")return[o[0],o[o.length-1]];let s=re(n),i=xe(s.map(a=>a.last));return[s[0].a,xe(o.filter(a=>a<=i))]}
function mi(e,t){let{words:n}=t,r=e.kind==="ring"?e.ring:e.cuts.floor;if(r===null)return[];let o=hi(e.line,r,t);return[we(e)?n.withheld(o):n.neverSent(o)]}
function hi(e,t,n){let{words:r,number:o,inside:s}=n,{sizes:i,least:a}=t;if(Rr(t)){let c=K({...e,lower:"0"},Math.ceil(a/xe(i))),d=ge(e,c,n);return e.whole?be.wholeSize(d,n):Ee(r.narrowerThan(d,s(e.unit)))}return r.fewerThan(o(Number(BigInt(a)*1000n/BigInt(C(i)))/10))}
function gi(e,t){let{line:n}=e,{words:r}=t;if(ee(e).length===0)return[];let o=n.step==="1"?"":r.inSteps(On(n,t));return[r.exactly(An(e,t),o)]}
function An(e,t){return ee(e).map(r=>vr(e.line,r,t)).join(t.words.or)}
function Hr(e,t){let{words:n}=t,{blank:r}=e,o=[n.rangeTells];return Ht(e)&&o.push(n.stopTells),we(e)&&r[0]===0&&o.push(n.blankRulesOut),we(e)&&r[0]>0&&o.push(n.blankRatio(t.number(It(BigInt(r[1]),BigInt(r[0]),2)))),o.join(" ")}
_t=({kind:e,ask:t})=>e==="cuts"&&t==="narrow",
ye=({kind:e,cuts:t})=>e==="cuts"&&t.floor?.rule==="withhold",
ee=({kind:e,cuts:t})=>e==="cuts"?t.open:[],
ke={},
Ne=e=>e.replace(/ +/g," ").trim();
function ae(e,t,n){return jn(gt(e,t,n),n)}
var jn=(e,{language:t})=>e.charAt(0).toLocaleUpperCase(t)+e.slice(1);
function gt(e,t,n){let r=Se(e,t);return(r.length>0?r:[t]).map(s=>Qr(e.line,s,n)).join(n.words.or)}
function Qr(e,[t,n],r){let{words:o}=r,[s,i]=[t,n].map(c=>be(e,K(e,c),r)),a=r.inside(e.unit);return e.whole&&t>0?ke.whole(e,[t,n],r):Ne(t===0?n===e.ticks?o.anyNumber:o.orLess(i,a):n===e.ticks?o.moreThan(s,a):o.between(s,i,a))}
var Ve=(e,t,n)=>Ne(`${be(e,t,n)} ${n.inside(e.unit)}`),
wt=(e,t,n)=>Ve(e,K(e,t),n),
Bn=(e,t)=>wt({...e,lower:"0"},1,t);
function be(e,t,{number:n,grouped:r}){return K(e,e.ticks)<1e4?n(t):r(t)}
function Zr({cuts:{floor:e}},[t,n],{words:r,number:o}){if(e===null||Jr(e))return"";let[s,i]=[qe(e.sizes,t,n),I(e.sizes)];return s===i?"":r.holds(o(Number(100n*BigInt(s)/BigInt(i))))}
function Jr({sizes:e}){let t=e.filter(n=>n>0);return t.every(n=>n===t[0])}
function Xr(e,t,n){return[Ei(e,t,n),...Li(e,n),...Ci(e,n)]}
function Ei(e,t,n){let{words:r}=n;if(_t(e))return r.narrowHow;if(e.typed)return ke.typed(n);let o=d=>be(e.line,K(e.line,d),n),s=d=>d>0&&d<e.line.ticks,i=Re(e,t).flat().filter(s),a=[...new Set(i)].sort((d,u)=>d-u).map(o);return a.length===0?r.cutNone:Ni(e)?r.cutFixed(n.list(a)):(e.kind==="ring"?r.cutRing:a.length>1?r.cutMany:r.cutOne)(n.list(a),...Ti(e).map(o))}
function Ni({kind:e,cuts:t,ring:n}){let r=s=>s.filter(i=>i>0).length===1;if(e==="cuts")return r(t.weights);let o=re(n);return o.length===1&&r(n.weights.slice(o[0].first-1,o[0].last))}
function Ti({kind:e,cuts:t,ring:n}){let{weights:r}=e==="ring"?n:t,o=r.flatMap((a,c)=>a>0?[c+1]:[]);if(e==="cuts")return[o[0],o[o.length-1]];let s=re(n),i=Oe(s.map(a=>a.last));return[s[0].a,Oe(o.filter(a=>a<=i))]}
function Li(e,t){let{words:n}=t,r=e.kind==="ring"?e.ring:e.cuts.floor;if(r===null)return[];let o=Ii(e.line,r,t);return[ye(e)?n.withheld(o):n.neverSent(o)]}
function Ii(e,t,n){let{words:r,number:o,inside:s}=n,{sizes:i,least:a}=t;if(Jr(t)){let c=K({...e,lower:"0"},Math.ceil(a/Oe(i))),d=be(e,c,n);return e.whole?ke.wholeSize(d,n):Ne(r.narrowerThan(d,s(e.unit)))}return r.fewerThan(o(Number(BigInt(a)*1000n/BigInt(I(i)))/10))}
function Ci(e,t){let{line:n}=e,{words:r}=t;if(ee(e).length===0)return[];let o=n.step==="1"?"":r.inSteps(Bn(n,t));return[r.exactly(vn(e,t),o)]}
function vn(e,t){return ee(e).map(r=>Qr(e.line,r,t)).join(t.words.or)}
function Yr(e,t){let{words:n}=t,{blank:r}=e,o=[n.rangeTells];return _t(e)&&o.push(n.stopTells),ye(e)&&r[0]===0&&o.push(n.blankRulesOut),ye(e)&&r[0]>0&&o.push(n.blankRatio(t.number(Kt(BigInt(r[1]),BigInt(r[0]),2)))),o.join(" ")}
