function cs(e,t){let n=gr(e);if(n.kind!=="table")return T.holdsOne?.(n,t)?"answer":ds(n,t)?"another":void 0;let{table:{rows:r},ticks:o=0,list:s,sets:i}=n,a=[...r.keys()].filter(f=>r[f][t]>0);if(a.length===0)return;if(i)return i.some(f=>a.every(m=>f.answers.includes(m)))?"answer":void 0;if(a.length===1)return"answer";let c=s?0:2**o-1,[d,u]=a.reduce(([f,m],g)=>[f&g,m|g],[c,0]);if(d>0||(u&c)<c)return"part";let l=ln(n);return l===void 0||a.includes(l)?void 0:"another"}
var hr=Pe(e=>{let t=gr(e);if(!B(t))return[];let r=t.kind==="table"?t.reports.map((o,s)=>cs(e,s)):[T.canHoldOne?.(t)&&"answer",ol(t)&&"another"];return["answer","part","another"].filter(o=>r.includes(o))}),
gr=e=>T.judged?.(e)??e;
function ln({line:e,answers:t,about:n}){let r=n?.innocent,o=e&&_e(r,Ze)&&W(r),s=e?o&&Xe(e,o):t.findIndex(({name:i})=>i===r);return C(s,1/0)?s:void 0}
function ds(e,t){let[n,r]=[ln(e),Te(e,t)];return n!==void 0&&r.length>0&&!r.some(([o,s])=>o<=n&&n<s)}
function ol(e){let{kind:t,line:n,cuts:r}=e;if(ln(e)===void 0)return!1;if(t==="ring")return!0;let{weights:o,floor:s}=r;return o.some((i,a)=>{let c=[[0,a+1],[a+1,n.ticks]],d=u=>s===null||(s.rule==="skip"?c:[u]).every(l=>Z(s,l));return i>0&&c.some(u=>d(u)&&ds(e,u))})}
function ls(e,t){let n=gr(e),r=ln(n)??0;if(!n.line)return t.inside(n.answers[r].label);let[o,s]=W(n.about.innocent)??[0n,1n];return O.cuts.numberLabel(n.line,Number(o)/Number(s),t)}
function sl(e,t){let{words:n}=t,r=o=>o==="another"?n.partlyNot(ls(e,t)):o==="part"?n.partlyTicked:n.partly;return hr(e).map(r)}
function il(e,t,n){let{words:r}=n,o=hr(e).length>0&&cs(e,t);return o==="part"?`${r.proofTicked} ${Bt(e,t,n)}`.trim():o==="another"?r.proofNot(ls(e,n)):o&&r.proofHint}
function al(e,t){return e.some(n=>hr(n).length>0)?{card:t.cardProof,check:t.checkProof}:{}}
Object.assign(T,{proofBadges:sl,proofText:il,proofTexts:al});
