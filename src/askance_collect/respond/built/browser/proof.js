function is(e,t){let n=mr(e);if(n.kind!=="table")return N.holdsOne?.(n,t)?"answer":as(n,t)?"another":void 0;let{table:{rows:r},ticks:o=0,list:s,sets:i}=n,a=[...r.keys()].filter(f=>r[f][t]>0);if(a.length===0)return;if(i)return i.some(f=>a.every(p=>f.answers.includes(p)))?"answer":void 0;if(a.length===1)return"answer";let c=s?0:2**o-1,[d,u]=a.reduce(([f,p],g)=>[f&g,p|g],[c,0]);if(d>0||(u&c)<c)return"part";let l=an(n);return l===void 0||a.includes(l)?void 0:"another"}
var pr=Be(e=>{let t=mr(e);if(!H(t))return[];let r=t.kind==="table"?t.reports.map((o,s)=>is(e,s)):[N.canHoldOne?.(t)&&"answer",Jd(t)&&"another"];return["answer","part","another"].filter(o=>r.includes(o))}),
mr=e=>N.judged?.(e)??e;
function an({line:e,answers:t,about:n}){let r=n?.innocent,o=e&&Ke(r,Je)&&W(r),s=e?o&&Ze(e,o):t.findIndex(({name:i})=>i===r);return C(s,1/0)?s:void 0}
function as(e,t){let[n,r]=[an(e),Ee(e,t)];return n!==void 0&&r.length>0&&!r.some(([o,s])=>o<=n&&n<s)}
function Jd(e){let{kind:t,line:n,cuts:r}=e;if(an(e)===void 0)return!1;if(t==="ring")return!0;let{weights:o,floor:s}=r;return o.some((i,a)=>{let c=[[0,a+1],[a+1,n.ticks]],d=u=>s===null||(s.rule==="skip"?c:[u]).every(l=>Q(s,l));return i>0&&c.some(u=>d(u)&&as(e,u))})}
function cs(e,t){let n=mr(e),r=an(n)??0;if(!n.line)return t.inside(n.answers[r].label);let[o,s]=W(n.about.innocent)??[0n,1n];return O.cuts.numberLabel(n.line,Number(o)/Number(s),t)}
function Zd(e,t){let{words:n}=t,r=o=>o==="another"?n.partlyNot(cs(e,t)):o==="part"?n.partlyTicked:n.partly;return pr(e).map(r)}
function Xd(e,t,n){let{words:r}=n,o=pr(e).length>0&&is(e,t);return o==="part"?`${r.proofTicked} ${jt(e,t,n)}`.trim():o==="another"?r.proofNot(cs(e,n)):o&&r.proofHint}
function Yd(e,t){return e.some(n=>pr(n).length>0)?{card:t.cardProof,check:t.checkProof}:{}}
Object.assign(N,{proofBadges:Zd,proofText:Xd,proofTexts:Yd});
