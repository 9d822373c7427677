function ms(e,t){let n=Sr(e);if(n.kind!=="table")return N.holdsOne?.(n,t)?"answer":hs(n,t)?"another":void 0;let{table:{rows:r},ticks:o=0,list:s,sets:i}=n,a=[...r.keys()].filter(f=>r[f][t]>0);if(a.length===0)return;if(i)return i.some(f=>a.every(p=>f.answers.includes(p)))?"answer":void 0;if(a.length===1)return"answer";let c=s?0:2**o-1,[d,u]=a.reduce(([f,p],g)=>[f&g,p|g],[c,0]);if(d>0||(u&c)<c)return"part";let l=fn(n);return l===void 0||a.includes(l)?void 0:"another"}
var xr=Pe(e=>{let t=Sr(e);if(!B(t))return[];let r=t.kind==="table"?t.reports.map((o,s)=>ms(e,s)):[N.canHoldOne?.(t)&&"answer",fl(t)&&"another"];return["answer","part","another"].filter(o=>r.includes(o))}),
Sr=e=>N.judged?.(e)??e;
function fn({line:e,answers:t,about:n}){let r=n?.innocent,o=e&&Ke(r,Ze)&&W(r),s=e?o&&Xe(e,o):t.findIndex(({name:i})=>i===r);return C(s,1/0)?s:void 0}
function hs(e,t){let[n,r]=[fn(e),Te(e,t)];return n!==void 0&&r.length>0&&!r.some(([o,s])=>o<=n&&n<s)}
function fl(e){let{kind:t,line:n,cuts:r}=e;if(fn(e)===void 0)return!1;if(t==="ring")return!0;let{weights:o,floor:s}=r;return o.some((i,a)=>{let c=[[0,a+1],[a+1,n.ticks]],d=u=>s===null||(s.rule==="skip"?c:[u]).every(l=>Z(s,l));return i>0&&c.some(u=>d(u)&&hs(e,u))})}
function gs(e,t){let n=Sr(e),r=fn(n)??0;if(!n.line)return t.inside(n.answers[r].label);let[o,s]=W(n.about.innocent)??[0n,1n];return O.cuts.numberLabel(n.line,Number(o)/Number(s),t)}
function pl(e,t){let{words:n}=t,r=o=>o==="another"?n.partlyNot(gs(e,t)):o==="part"?n.partlyTicked:n.partly;return xr(e).map(r)}
function ml(e,t,n){let{words:r}=n,o=xr(e).length>0&&ms(e,t);return o==="part"?`${r.proofTicked} ${Ht(e,t,n)}`.trim():o==="another"?r.proofNot(gs(e,n)):o&&r.proofHint}
function hl(e,t){return e.some(n=>xr(n).length>0)?{card:t.cardProof,check:t.checkProof}:{}}
Object.assign(N,{proofBadges:pl,proofText:ml,proofTexts:hl});
