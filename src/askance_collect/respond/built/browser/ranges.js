var Ce=({kind:e})=>e==="cuts"||e==="ring",
Vt=({kind:e,ask:t})=>e==="cuts"&&t==="narrow",
Se=({kind:e,cuts:t})=>e==="cuts"&&t.floor?.rule==="withhold",
te=({kind:e,cuts:t})=>e==="cuts"?t.open:[],
Oe={},
Ui=e=>e.replace(/ +/g," ").trim();
function ue(e,t,n){return Mn(wt(e,t,n),n)}
var Mn=(e,{language:t})=>e.charAt(0).toLocaleUpperCase(t)+e.slice(1);
function wt(e,t,n){let r=Ee(e,t);return(r.length>0?r:[t]).map(s=>Fn(e.line,s,n)).join(n.words.or)}
function Fn(e,[t,n],r){let{words:o,inside:s}=r,[i,a]=[t,n].map(d=>K(e,d)),c=n===e.ticks;return c&&t===0?o.anyNumber:c&&e.highest&&n-t===1?s(e.highest):t===0&&e.lowest?Wi(e,n,r):e.whole&&t>0?Oe.whole(e,[t,n],r):t===0?le(e,a,r,o.orLess):c?le(e,i,r,o.moreThan):le(e,a,r,(d,u)=>o.between(xe(e,i,r),d,u))}
function Wi({lowest:e,...t},n,r){let o=r.inside(e),s=t.whole&&t.step==="1";return s&&n===1?o:o+r.words.or+Fn(t,[s?1:0,n],r)}
function le(e,t,n,r=(o,s)=>`${o} ${s}`){let[o,s]=[n.inside(e.unit),n.plural(t)],i=s==="other"?e.unit:e[s],a=i&&n.inside(i)||"",c=Ui(r(xe(e,t,n),a));return a||!o?c:`${o}: ${c}`}
var Xe=(e,t,n)=>le(e,t,n),
bt=(e,t,n)=>Xe(e,K(e,t),n),
Un=(e,t)=>bt({...e,lower:"0"},1,t);
function xe(e,t,{number:n,grouped:r}){return K(e,e.ticks)<1e4?n(t):r(t)}
function co({cuts:{floor:e}},[t,n],{words:r,number:o}){if(e===null||ao(e))return"";let[s,i]=[rt(e.sizes,t,n),$(e.sizes)];return s===i?"":r.holds(o(Number(100n*BigInt(s)/BigInt(i))))}
function ao({sizes:e}){let t=e.filter(n=>n>0);return t.every(n=>n===t[0])}
function lo(e,t,n){return[Ki(e,t,n),...zi(e,n),...Qi(e,n)]}
function Ki(e,t,n){let{words:r}=n;if(Vt(e))return r.narrowHow;if(e.typed)return Oe.typed(n);let o=d=>xe(e.line,K(e.line,d),n),s=d=>d>0&&d<e.line.ticks,i=He(e,t).flat().filter(s),a=[...new Set(i)].sort((d,u)=>d-u).map(o);return a.length===0?r.cutNone:_i(e)?r.cutFixed(n.list(a)):(e.kind==="ring"?r.cutRing:a.length>1?r.cutMany:r.cutOne)(n.list(a),...Gi(e).map(o))}
function _i({kind:e,cuts:t,ring:n}){let r=s=>s.filter(i=>i>0).length===1;if(e==="cuts")return r(t.weights);let o=oe(n);return o.length===1&&r(n.weights.slice(o[0].first-1,o[0].last))}
function Gi({kind:e,cuts:t,ring:n}){let{weights:r}=e==="ring"?n:t,o=r.flatMap((a,c)=>a>0?[c+1]:[]);if(e==="cuts")return[o[0],o[o.length-1]];let s=oe(n),i=Ne(s.map(a=>a.last));return[s[0].a,Ne(o.filter(a=>a<=i))]}
function zi(e,t){let{words:n}=t,r=e.kind==="ring"?e.ring:e.cuts.floor;if(r===null)return[];let o=Vi(e.line,r,t);return[Se(e)?n.withheld(o):n.neverSent(o)]}
function Vi(e,t,n){let{words:r,number:o}=n,{sizes:s,least:i}=t;if(ao(t)){let a=K({...e,lower:"0"},Math.ceil(i/Ne(s)));return e.whole?Oe.wholeSize(xe(e,a,n),n):le(e,a,n,r.narrowerThan)}return r.fewerThan(o(Number(BigInt(i)*1000n/BigInt($(s)))/10))}
function Qi(e,t){let{line:n}=e,{words:r}=t;if(te(e).length===0)return[];let o=n.step==="1"?"":r.inSteps(Un(n,t));return[r.exactly(Wn(e,t),o)]}
function Wn(e,t){return te(e).map(r=>Fn(e.line,r,t)).join(t.words.or)}
function uo(e,t){let{words:n}=t,{blank:r}=e,o=[n.rangeTells];return Vt(e)&&o.push(n.stopTells),Se(e)&&r[0]===0&&o.push(n.blankRulesOut),Se(e)&&r[0]>0&&o.push(n.blankRatio(t.number(zt(BigInt(r[1]),BigInt(r[0]),2)))),o.join(" ")}
