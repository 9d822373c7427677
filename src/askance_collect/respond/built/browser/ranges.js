var Ae=({kind:e})=>e==="cuts"||e==="ring",
Bt=({kind:e,ask:t})=>e==="cuts"&&t==="narrow",
me=({kind:e,cuts:t})=>e==="cuts"&&t.floor?.rule==="withhold",
ee=({kind:e,cuts:t})=>e==="cuts"?t.open:[],
he={},
Oe=e=>e.replace(/ +/g," ").trim();
function se(e,t,n){return xn(lt(e,t,n),n)}
var xn=(e,{language:t})=>e.charAt(0).toLocaleUpperCase(t)+e.slice(1);
function lt(e,t,n){let r=we(e,t);return(r.length>0?r:[t]).map(s=>Cr(e.line,s,n)).join(n.words.or)}
function Cr(e,[t,n],r){let{words:o}=r,[s,i]=[t,n].map(c=>pe(e,K(e,c),r)),a=r.inside(e.unit);return e.whole&&t>0?he.whole(e,[t,n],r):Oe(t===0?n===e.ticks?o.anyNumber:o.orLess(i,a):n===e.ticks?o.moreThan(s,a):o.between(s,i,a))}
var Fe=(e,t,n)=>Oe(`${pe(e,t,n)} ${n.inside(e.unit)}`),
ut=(e,t,n)=>Fe(e,K(e,t),n),
Sn=(e,t)=>ut({...e,lower:"0"},1,t);
function pe(e,t,{number:n,grouped:r}){return K(e,e.ticks)<1e4?n(t):r(t)}
function Rr({cuts:{floor:e}},[t,n],{words:r,number:o}){if(e===null||vr(e))return"";let[s,i]=[Ve(e.sizes,t,n),C(e.sizes)];return s===i?"":r.holds(o(Number(100n*BigInt(s)/BigInt(i))))}
function vr({sizes:e}){let t=e.filter(n=>n>0);return t.every(n=>n===t[0])}
function jr(e,t,n){return[ii(e,t,n),...di(e,n),...ui(e,n)]}
function ii(e,t,n){let{words:r}=n;if(Bt(e))return r.narrowHow;if(e.typed)return he.typed(n);let o=d=>pe(e.line,K(e.line,d),n),s=d=>d>0&&d<e.line.ticks,i=Ie(e,t).flat().filter(s),a=[...new Set(i)].sort((d,u)=>d-u).map(o);return a.length===0?r.cutNone:ai(e)?r.cutFixed(n.list(a)):(e.kind==="ring"?r.cutRing:a.length>1?r.cutMany:r.cutOne)(n.list(a),...ci(e).map(o))}
function ai({kind:e,cuts:t,ring:n}){let r=s=>s.filter(i=>i>0).length===1;if(e==="cuts")return r(t.weights);let o=re(n);return o.length===1&&r(n.weights.slice(o[0].first-1,o[0].last))}
function ci({kind:e,cuts:t,ring:n}){let{weights:r}=e==="ring"?n:t,o=r.flatMap((a,c)=>a>0?[c+1]:[]);if(e==="cuts")return[o[0],o[o.length-1]];let s=re(n),i=be(s.map(a=>a.last));return[s[0].a,be(o.filter(a=>a<=i))]}
function di(e,t){let{words:n}=t,r=e.kind==="ring"?e.ring:e.cuts.floor;if(r===null)return[];let o=li(e.line,r,t);return[me(e)?n.withheld(o):n.neverSent(o)]}
function li(e,t,n){let{words:r,number:o,inside:s}=n,{sizes:i,least:a}=t;if(vr(t)){let c=K({...e,lower:"0"},Math.ceil(a/be(i))),d=pe(e,c,n);return e.whole?he.wholeSize(d,n):Oe(r.narrowerThan(d,s(e.unit)))}return r.fewerThan(o(Number(BigInt(a)*1000n/BigInt(C(i)))/10))}
function ui(e,t){let{line:n}=e,{words:r}=t;if(ee(e).length===0)return[];let o=n.step==="1"?"":r.inSteps(Sn(n,t));return[r.exactly(On(e,t),o)]}
function On(e,t){return ee(e).map(r=>Cr(e.line,r,t)).join(t.words.or)}
function Br(e,t){let{words:n}=t,{blank:r}=e,o=[n.rangeTells];return Bt(e)&&o.push(n.stopTells),me(e)&&r[0]===0&&o.push(n.blankRulesOut),me(e)&&r[0]>0&&o.push(n.blankRatio(t.number(Lt(BigInt(r[1]),BigInt(r[0]),2)))),o.join(" ")}
