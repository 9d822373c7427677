function Vo(e,t){let n=cr(e);if(n.kind!=="table")return E.holdsOne?.(n,t)?"answer":Qo(n,t)?"another":void 0;let{table:{rows:r},ticks:o=0,list:s,sets:i}=n,a=[...r.keys()].filter(f=>r[f][t]>0);if(a.length===0)return;if(i)return i.some(f=>a.every(h=>f.answers.includes(h)))?"answer":void 0;if(a.length===1)return"answer";let c=s?0:2**o-1,[d,u]=a.reduce(([f,h],g)=>[f&g,h|g],[c,0]);if(d>0||(u&c)<c)return"part";let l=on(n);return l===void 0||a.includes(l)?void 0:"another"}
var ar=je(e=>{let t=cr(e);if(!B(t))return[];let r=t.kind==="table"?t.reports.map((o,s)=>Vo(e,s)):[E.canHoldOne?.(t)&&"answer",jd(t)&&"another"];return["answer","part","another"].filter(o=>r.includes(o))}),
cr=e=>E.judged?.(e)??e;
function on({line:e,answers:t,about:n}){let r=n?.innocent,o=e&&Me(r,Ge)&&W(r),s=e?o&&ze(e,o):t.findIndex(({name:i})=>i===r);return $(s,1/0)?s:void 0}
function Qo(e,t){let[n,r]=[on(e),Ee(e,t)];return n!==void 0&&r.length>0&&!r.some(([o,s])=>o<=n&&n<s)}
function jd(e){let{kind:t,line:n,cuts:r}=e;if(t==="ring")return on(e)!==void 0;let{weights:o,floor:s}=r;return o.some((i,a)=>{let c=[[0,a+1],[a+1,n.ticks]],d=u=>s===null||(s.rule==="skip"?c:[u]).every(l=>Q(s,l));return i>0&&c.some(u=>d(u)&&Qo(e,u))})}
function Jo(e,t){let n=cr(e),r=on(n)??0;if(!n.line)return t.inside(n.answers[r].label);let[o,s]=W(n.about.innocent)??[0n,1n];return A.cuts.numberLabel(n.line,Number(o)/Number(s),t)}
function vd(e,t){let{words:n}=t,r=o=>o==="another"?n.partlyNot(Jo(e,t)):o==="part"?n.partlyTicked:n.partly;return ar(e).map(r)}
function Bd(e,t,n){let{words:r}=n,o=ar(e).length>0&&Vo(e,t);return o==="part"?`${r.proofTicked} ${jt(e,t,n)}`.trim():o==="another"?r.proofNot(Jo(e,n)):o&&r.proofHint}
function Hd(e,t){return e.some(n=>ar(n).length>0)?{card:t.cardProof,check:t.checkProof}:{}}
Object.assign(E,{proofBadges:vd,proofText:Bd,proofTexts:Hd});
