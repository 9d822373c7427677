function Jo(e,t){let n=ur(e);if(n.kind!=="table")return E.holdsOne?.(n,t)?"answer":Zo(n,t)?"another":void 0;let{table:{rows:r},ticks:o=0,list:s,sets:i}=n,a=[...r.keys()].filter(f=>r[f][t]>0);if(a.length===0)return;if(i)return i.some(f=>a.every(m=>f.answers.includes(m)))?"answer":void 0;if(a.length===1)return"answer";let c=s?0:2**o-1,[d,u]=a.reduce(([f,m],g)=>[f&g,m|g],[c,0]);if(d>0||(u&c)<c)return"part";let l=dn(n);return l===void 0||a.includes(l)?void 0:"another"}
var lr=Fe(e=>{let t=ur(e);if(!j(t))return[];let r=t.kind==="table"?t.reports.map((o,s)=>Jo(e,s)):[E.canHoldOne?.(t)&&"answer",hc(t)&&"another"];return["answer","part","another"].filter(o=>r.includes(o))}),
ur=e=>E.judged?.(e)??e;
function dn({line:e,answers:t,about:n}){let r=n?.innocent,o=e&&Ge(r,Ye)&&W(r),s=e?o&&qe(e,o):t.findIndex(({name:i})=>i===r);return C(s,1/0)?s:void 0}
function Zo(e,t){let[n,r]=[dn(e),Le(e,t)];return n!==void 0&&r.length>0&&!r.some(([o,s])=>o<=n&&n<s)}
function hc(e){let{kind:t,line:n,cuts:r}=e;if(dn(e)===void 0)return!1;if(t==="ring")return!0;let{weights:o,floor:s}=r;return o.some((i,a)=>{let c=[[0,a+1],[a+1,n.ticks]],d=u=>s===null||(s.rule==="skip"?c:[u]).every(l=>Z(s,l));return i>0&&c.some(u=>d(u)&&Zo(e,u))})}
function Xo(e,t){let n=ur(e),r=dn(n)??0;if(!n.line)return t.inside(n.answers[r].label);let[o,s]=W(n.about.innocent)??[0n,1n];return A.cuts.numberLabel(n.line,Number(o)/Number(s),t)}
function gc(e,t){let{words:n}=t,r=o=>o==="another"?n.partlyNot(Xo(e,t)):o==="part"?n.partlyTicked:n.partly;return lr(e).map(r)}
function wc(e,t,n){let{words:r}=n,o=lr(e).length>0&&Jo(e,t);return o==="part"?`${r.proofTicked} ${Pt(e,t,n)}`.trim():o==="another"?r.proofNot(Xo(e,n)):o&&r.proofHint}
function bc(e,t){return e.some(n=>lr(n).length>0)?{card:t.cardProof,check:t.checkProof}:{}}
Object.assign(E,{proofBadges:gc,proofText:wc,proofTexts:bc});
