var isRange=({kind:n})=>n==="cuts"||n==="ring",
isNarrowed=({kind:n,ask:t})=>n==="cuts"&&t==="narrow",
isWithheld=({kind:n,cuts:t})=>n==="cuts"&&t.floor?.rule==="withhold",
openOf=({kind:n,cuts:t})=>n==="cuts"?t.open:[],
rangeTexts={},
tidy=n=>n.replace(/ +/g," ").trim();
function rangeLabel(n,t,r){return capital(rangePhrase(n,t,r),r)}
var capital=(n,{language:t})=>n.charAt(0).toLocaleUpperCase(t)+n.slice(1);
function rangePhrase(n,t,r){const s=remainder(n,t);return(s.length>0?s:[t]).map(a=>plainPhrase(n.line,a,r)).join(r.words.or)}
function plainPhrase(n,[t,r],s){const{words:e}=s,[a,o]=[t,r].map(l=>shown(n,numberAt(n,l),s)),i=s.inside(n.unit);return n.whole&&t>0?rangeTexts.whole(n,[t,r],s):tidy(t===0?r===n.ticks?e.anyNumber:e.orLess(o,i):r===n.ticks?e.moreThan(a,i):e.between(a,o,i))}
var numberLabel=(n,t,r)=>tidy(`${shown(n,t,r)} ${r.inside(n.unit)}`),
tickLabel=(n,t,r)=>numberLabel(n,numberAt(n,t),r),
stepLabel=(n,t)=>tickLabel({...n,lower:"0"},1,t);
function shown(n,t,{number:r,grouped:s}){return numberAt(n,n.ticks)<1e4?r(t):s(t)}
function shareIn({cuts:{floor:n}},[t,r],{words:s,number:e}){if(n===null||isEven(n))return"";const[a,o]=[between(n.sizes,t,r),sum(n.sizes)];return a===o?"":s.holds(e(Number(100n*BigInt(a)/BigInt(o))))}
function isEven({sizes:n}){const t=n.filter(r=>r>0);return t.every(r=>r===t[0])}
function rangeSentences(n,t,r){return[drawnSentence(n,t,r),...promises(n,r),...exactSentences(n,r)]}
function drawnSentence(n,t,r){const{words:s}=r;if(isNarrowed(n))return s.narrowHow;if(n.typed)return rangeTexts.typed(r);const e=c=>shown(n.line,numberAt(n.line,c),r),a=c=>c>0&&c<n.line.ticks,o=cells(n,t).flat().filter(a),i=[...new Set(o)].sort((c,u)=>c-u).map(e);return i.length===0?s.cutNone:isFixed(n)?s.cutFixed(r.list(i)):(n.kind==="ring"?s.cutRing:i.length>1?s.cutMany:s.cutOne)(r.list(i),...reach(n).map(e))}
function isFixed({kind:n,cuts:t,ring:r}){const s=a=>a.filter(o=>o>0).length===1;if(n==="cuts")return s(t.weights);const e=pairRows(r);return e.length===1&&s(r.weights.slice(e[0].first-1,e[0].last))}
function reach({kind:n,cuts:t,ring:r}){const{weights:s}=n==="ring"?r:t,e=s.flatMap((i,l)=>i>0?[l+1]:[]);if(n==="cuts")return[e[0],e[e.length-1]];const a=pairRows(r),o=largest(a.map(i=>i.last));return[a[0].a,largest(e.filter(i=>i<=o))]}
function promises(n,t){const{words:r}=t,s=n.kind==="ring"?n.ring:n.cuts.floor;if(s===null)return[];const e=tooNarrow(n.line,s,t);return[isWithheld(n)?r.withheld(e):r.neverSent(e)]}
function tooNarrow(n,t,r){const{words:s,number:e,inside:a}=r,{sizes:o,least:i}=t;if(isEven(t)){const l=numberAt({...n,lower:"0"},Math.ceil(i/largest(o))),c=shown(n,l,r);return n.whole?rangeTexts.wholeSize(c,r):tidy(s.narrowerThan(c,a(n.unit)))}return s.fewerThan(e(Number(BigInt(i)*1000n/BigInt(sum(o)))/10))}
function exactSentences(n,t){const{line:r}=n,{words:s}=t;if(openOf(n).length===0)return[];const e=r.step==="1"?"":s.inSteps(stepLabel(r,t));return[s.exactly(exactPhrase(n,t),e)]}
function exactPhrase(n,t){return openOf(n).map(s=>plainPhrase(n.line,s,t)).join(t.words.or)}
function rangeTells(n,t){const{words:r}=t,{blank:s}=n,e=[r.rangeTells];return isNarrowed(n)&&e.push(r.stopTells),isWithheld(n)&&s[0]===0&&e.push(r.blankRulesOut),isWithheld(n)&&s[0]>0&&e.push(r.blankRatio(t.number(roundedUp(BigInt(s[1]),BigInt(s[0]),2)))),e.join(" ")}
