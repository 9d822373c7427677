var je=({kind:e})=>e==="cuts"||e==="ring",
Jt=({kind:e,ask:t})=>e==="cuts"&&t==="narrow",
Ee=({kind:e,cuts:t})=>e==="cuts"&&t.floor?.rule==="withhold",
re=({kind:e,cuts:t})=>e==="cuts"?t.open:[],
Ne={},
qi=e=>e.replace(/ +/g," ").trim();
function me(e,t,n){return zn(bt(e,t,n),n)}
var zn=(e,{language:t})=>e.charAt(0).toLocaleUpperCase(t)+e.slice(1);
function bt(e,t,n){let r=Te(e,t);return(r.length>0?r:[t]).map(s=>Gn(e.line,s,n)).join(n.words.or)}
function Gn(e,[t,n],r){let{words:o,inside:s}=r,[i,a]=[t,n].map(d=>_(e,d)),c=n===e.ticks;return c&&t===0?o.anyNumber:c&&e.highest&&n-t===1?s(e.highest):t===0&&e.lowest?ea(e,n,r):e.whole&&t>0?Ne.whole(e,[t,n],r):t===0?pe(e,a,r,o.orLess):c?pe(e,i,r,o.moreThan):pe(e,a,r,(d,u)=>o.between(Ae(e,i,r),d,u))}
function ea({lowest:e,...t},n,r){let o=r.inside(e),s=t.whole&&t.step==="1";return s&&n===1?o:o+r.words.or+Gn(t,[s?1:0,n],r)}
function pe(e,t,n,r=(o,s)=>`${o} ${s}`){let[o,s]=[n.inside(e.unit),n.plural(t)],i=s==="other"?e.unit:e[s],a=i&&n.inside(i)||"",c=qi(r(Ae(e,t,n),a));return a||!o?c:`${o}: ${c}`}
var Ye=(e,t,n)=>pe(e,t,n),
yt=(e,t,n)=>Ye(e,_(e,t),n),
Vn=(e,t)=>yt({...e,lower:"0"},1,t);
function Ae(e,t,{number:n,grouped:r}){return _(e,e.ticks)<1e4?n(t):r(t)}
function bo({cuts:{floor:e}},[t,n],{words:r,number:o}){if(e===null||wo(e))return"";let[s,i]=[ot(e.sizes,t,n),$(e.sizes)];return s===i?"":r.holds(o(Number(100n*BigInt(s)/BigInt(i))))}
function wo({sizes:e}){let t=e.filter(n=>n>0);return t.every(n=>n===t[0])}
function yo(e,t,n){return[ta(e,t,n),...oa(e,n),...ia(e,n)]}
function ta(e,t,n){let{words:r}=n;if(Jt(e))return r.narrowHow;if(e.typed)return Ne.typed(n);let o=d=>Ae(e.line,_(e.line,d),n),s=d=>d>0&&d<e.line.ticks,i=Fe(e,t).flat().filter(s),a=[...new Set(i)].sort((d,u)=>d-u).map(o);return a.length===0?r.cutNone:na(e)?r.cutFixed(n.list(a)):(e.kind==="ring"?r.cutRing:a.length>1?r.cutMany:r.cutOne)(n.list(a),...ra(e).map(o))}
function na({kind:e,cuts:t,ring:n}){let r=s=>s.filter(i=>i>0).length===1;if(e==="cuts")return r(t.weights);let o=ae(n);return o.length===1&&r(n.weights.slice(o[0].first-1,o[0].last))}
function ra({kind:e,cuts:t,ring:n}){let{weights:r}=e==="ring"?n:t,o=r.flatMap((a,c)=>a>0?[c+1]:[]);if(e==="cuts")return[o[0],o[o.length-1]];let s=ae(n),i=Le(s.map(a=>a.last));return[s[0].a,Le(o.filter(a=>a<=i))]}
function oa(e,t){let{words:n}=t,r=e.kind==="ring"?e.ring:e.cuts.floor;if(r===null)return[];let o=sa(e.line,r,t);return[Ee(e)?n.withheld(o):n.neverSent(o)]}
function sa(e,t,n){let{words:r,number:o}=n,{sizes:s,least:i}=t;if(wo(t)){let a=_({...e,lower:"0"},Math.ceil(i/Le(s)));return e.whole?Ne.wholeSize(Ae(e,a,n),n):pe(e,a,n,r.narrowerThan)}return r.fewerThan(o(Number(BigInt(i)*1000n/BigInt($(s)))/10))}
function ia(e,t){let{line:n}=e,{words:r}=t;if(re(e).length===0)return[];let o=n.step==="1"?"":r.inSteps(Vn(n,t));return[r.exactly(Qn(e,t),o)]}
function Qn(e,t){return re(e).map(r=>Gn(e.line,r,t)).join(t.words.or)}
function ko(e,t){let{words:n}=t,{blank:r}=e,o=[n.rangeTells];return Jt(e)&&o.push(n.stopTells),Ee(e)&&r[0]===0&&o.push(n.blankRulesOut),Ee(e)&&r[0]>0&&o.push(n.blankRatio(t.number(Qt(BigInt(r[1]),BigInt(r[0]),2)))),o.join(" ")}
