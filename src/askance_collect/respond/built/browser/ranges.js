var ve=({kind:e})=>e==="cuts"||e==="ring",
Qt=({kind:e,ask:t})=>e==="cuts"&&t==="narrow",
Ae=({kind:e,cuts:t})=>e==="cuts"&&t.floor?.rule==="withhold",
ne=({kind:e,cuts:t})=>e==="cuts"?t.open:[],
Ee={},
Ki=e=>e.replace(/ +/g," ").trim();
function fe(e,t,n){return Kn(wt(e,t,n),n)}
var Kn=(e,{language:t})=>e.charAt(0).toLocaleUpperCase(t)+e.slice(1);
function wt(e,t,n){let r=Te(e,t);return(r.length>0?r:[t]).map(s=>Wn(e.line,s,n)).join(n.words.or)}
function Wn(e,[t,n],r){let{words:o,inside:s}=r,[i,a]=[t,n].map(d=>K(e,d)),c=n===e.ticks;return c&&t===0?o.anyNumber:c&&e.highest&&n-t===1?s(e.highest):t===0&&e.lowest?_i(e,n,r):e.whole&&t>0?Ee.whole(e,[t,n],r):t===0?ue(e,a,r,o.orLess):c?ue(e,i,r,o.moreThan):ue(e,a,r,(d,u)=>o.between(Oe(e,i,r),d,u))}
function _i({lowest:e,...t},n,r){let o=r.inside(e),s=t.whole&&t.step==="1";return s&&n===1?o:o+r.words.or+Wn(t,[s?1:0,n],r)}
function ue(e,t,n,r=(o,s)=>`${o} ${s}`){let[o,s]=[n.inside(e.unit),n.plural(t)],i=s==="other"?e.unit:e[s],a=i&&n.inside(i)||"",c=Ki(r(Oe(e,t,n),a));return a||!o?c:`${o}: ${c}`}
var Ye=(e,t,n)=>ue(e,t,n),
bt=(e,t,n)=>Ye(e,K(e,t),n),
_n=(e,t)=>bt({...e,lower:"0"},1,t);
function Oe(e,t,{number:n,grouped:r}){return K(e,e.ticks)<1e4?n(t):r(t)}
function uo({cuts:{floor:e}},[t,n],{words:r,number:o}){if(e===null||lo(e))return"";let[s,i]=[rt(e.sizes,t,n),$(e.sizes)];return s===i?"":r.holds(o(Number(100n*BigInt(s)/BigInt(i))))}
function lo({sizes:e}){let t=e.filter(n=>n>0);return t.every(n=>n===t[0])}
function fo(e,t,n){return[Gi(e,t,n),...Qi(e,n),...Zi(e,n)]}
function Gi(e,t,n){let{words:r}=n;if(Qt(e))return r.narrowHow;if(e.typed)return Ee.typed(n);let o=d=>Oe(e.line,K(e.line,d),n),s=d=>d>0&&d<e.line.ticks,i=Fe(e,t).flat().filter(s),a=[...new Set(i)].sort((d,u)=>d-u).map(o);return a.length===0?r.cutNone:zi(e)?r.cutFixed(n.list(a)):(e.kind==="ring"?r.cutRing:a.length>1?r.cutMany:r.cutOne)(n.list(a),...Vi(e).map(o))}
function zi({kind:e,cuts:t,ring:n}){let r=s=>s.filter(i=>i>0).length===1;if(e==="cuts")return r(t.weights);let o=se(n);return o.length===1&&r(n.weights.slice(o[0].first-1,o[0].last))}
function Vi({kind:e,cuts:t,ring:n}){let{weights:r}=e==="ring"?n:t,o=r.flatMap((a,c)=>a>0?[c+1]:[]);if(e==="cuts")return[o[0],o[o.length-1]];let s=se(n),i=Le(s.map(a=>a.last));return[s[0].a,Le(o.filter(a=>a<=i))]}
function Qi(e,t){let{words:n}=t,r=e.kind==="ring"?e.ring:e.cuts.floor;if(r===null)return[];let o=Ji(e.line,r,t);return[Ae(e)?n.withheld(o):n.neverSent(o)]}
function Ji(e,t,n){let{words:r,number:o}=n,{sizes:s,least:i}=t;if(lo(t)){let a=K({...e,lower:"0"},Math.ceil(i/Le(s)));return e.whole?Ee.wholeSize(Oe(e,a,n),n):ue(e,a,n,r.narrowerThan)}return r.fewerThan(o(Number(BigInt(i)*1000n/BigInt($(s)))/10))}
function Zi(e,t){let{line:n}=e,{words:r}=t;if(ne(e).length===0)return[];let o=n.step==="1"?"":r.inSteps(_n(n,t));return[r.exactly(Gn(e,t),o)]}
function Gn(e,t){return ne(e).map(r=>Wn(e.line,r,t)).join(t.words.or)}
function po(e,t){let{words:n}=t,{blank:r}=e,o=[n.rangeTells];return Qt(e)&&o.push(n.stopTells),Ae(e)&&r[0]===0&&o.push(n.blankRulesOut),Ae(e)&&r[0]>0&&o.push(n.blankRatio(t.number(Vt(BigInt(r[1]),BigInt(r[0]),2)))),o.join(" ")}
