var je=({kind:e})=>e==="cuts"||e==="ring",
Jt=({kind:e,ask:t})=>e==="cuts"&&t==="narrow",
Te=({kind:e,cuts:t})=>e==="cuts"&&t.floor?.rule==="withhold",
Ne=({kind:e,cuts:t})=>e==="cuts"?t.open:[],
ee={},
ra=e=>e.replace(/ +/g," ").trim();
function oe(e,t,n){return Qn(yt(e,t,n),n)}
var Qn=(e,{language:t})=>e.charAt(0).toLocaleUpperCase(t)+e.slice(1);
function yt(e,t,n){let r=Le(e,t);return(r.length>0?r:[t]).map(s=>Zt(e.line,s,n)).join(n.words.or)}
function Zt(e,[t,n],r){let{words:o,inside:s}=r,[i,a]=[t,n].map(d=>_(e,d)),c=n===e.ticks;return c&&t===0?o.anyNumber:c&&e.highest&&n-t===1?s(e.highest):t===0&&e.lowest?oa(e,n,r):e.whole&&t>0?ee.whole(e,[t,n],r):t===0?he(e,a,r,o.orLess):c?he(e,i,r,o.moreThan):he(e,a,r,(d,u)=>o.between(Ee(e,i,r),d,u))}
function oa({lowest:e,...t},n,r){let o=r.inside(e),s=t.whole&&t.step==="1";return s&&n===1?o:o+r.words.or+Zt(t,[s?1:0,n],r)}
function he(e,t,n,r=(o,s)=>`${o} ${s}`){let[o,s]=[n.inside(e.unit),n.plural(t)],i=s==="other"?e.unit:e[s],a=i&&n.inside(i)||"",c=ra(r(Ee(e,t,n),a));return a||!o?c:`${o}: ${c}`}
var et=(e,t,n)=>he(e,t,n),
kt=(e,t,n)=>et(e,_(e,t),n),
Xt=(e,t)=>kt({...e,lower:"0"},1,t);
function Ee(e,t,{number:n,grouped:r}){return _(e,e.ticks)<1e4?n(t):r(t)}
function bo({cuts:{floor:e}},[t,n],{words:r,number:o}){if(e===null||wo(e))return"";let[s,i]=[it(e.sizes,t,n),$(e.sizes)];return s===i?"":r.holds(o(Number(100n*BigInt(s)/BigInt(i))))}
function wo({sizes:e}){let t=e.filter(n=>n>0);return t.every(n=>n===t[0])}
function yo(e,t,n){return[sa(e,t,n),...ca(e,n),...ee.exact?.(e,n)??[]]}
function sa(e,t,n){let{words:r}=n;if(Jt(e))return r.narrowHow;if(e.typed)return ee.typed(n);let o=d=>Ee(e.line,_(e.line,d),n),s=d=>d>0&&d<e.line.ticks,i=Fe(e,t).flat().filter(s),a=[...new Set(i)].sort((d,u)=>d-u).map(o);return a.length===0?r.cutNone:ia(e)?r.cutFixed(n.list(a)):(e.kind==="ring"?r.cutRing:a.length>1?r.cutMany:r.cutOne)(n.list(a),...aa(e).map(o))}
function ia({kind:e,cuts:t,ring:n}){let r=s=>s.filter(i=>i>0).length===1;if(e==="cuts")return r(t.weights);let o=ce(n);return o.length===1&&r(n.weights.slice(o[0].first-1,o[0].last))}
function aa({kind:e,cuts:t,ring:n}){let{weights:r}=e==="ring"?n:t,o=r.flatMap((a,c)=>a>0?[c+1]:[]);if(e==="cuts")return[o[0],o[o.length-1]];let s=ce(n),i=Ie(s.map(a=>a.last));return[s[0].a,Ie(o.filter(a=>a<=i))]}
function ca(e,t){let{words:n}=t,r=e.kind==="ring"?e.ring:e.cuts.floor;if(r===null)return[];let o=da(e.line,r,t);return[Te(e)?n.withheld(o):n.neverSent(o)]}
function da(e,t,n){let{words:r,number:o}=n,{sizes:s,least:i}=t;if(wo(t)){let a=_({...e,lower:"0"},Math.ceil(i/Ie(s)));return e.whole?ee.wholeSize(Ee(e,a,n),n):he(e,a,n,r.narrowerThan)}return r.fewerThan(o(Number(BigInt(i)*1000n/BigInt($(s)))/10))}
function ko(e,t){let{words:n}=t,{blank:r}=e,o=[n.rangeTells];return Jt(e)&&o.push(n.stopTells),Te(e)&&r[0]===0&&o.push(n.blankRulesOut),Te(e)&&r[0]>0&&o.push(n.blankRatio(t.number(Qt(BigInt(r[1]),BigInt(r[0]),2)))),o.join(" ")}
