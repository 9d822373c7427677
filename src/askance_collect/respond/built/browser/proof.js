function Eo(e,t){let n=_n(e);if(n.kind!=="table")return $.holdsOne?.(n,t)?"answer":To(n,t)?"another":void 0;let{table:{rows:r},ticks:o=0,list:s,sets:i}=n,a=[...r.keys()].filter(f=>r[f][t]>0);if(a.length===0)return;if(i)return i.some(f=>a.every(g=>f.answers.includes(g)))?"answer":void 0;if(a.length===1)return"answer";let c=s?0:2**o-1,[d,u]=a.reduce(([f,g],w)=>[f&w,g|w],[c,0]);if(d>0||(u&c)<c)return"part";let l=Qt(n);return l===void 0||a.includes(l)?void 0:"another"}
var Wn=Le(e=>{let t=_n(e);if(!j(t))return[];let r=t.kind==="table"?t.reports.map((o,s)=>Eo(e,s)):[$.canHoldOne?.(t)&&"answer",ld(t)&&"another"];return["answer","part","another"].filter(o=>r.includes(o))}),
_n=e=>$.judged?.(e)??e;
function Qt({line:e,answers:t,about:n}){let r=n?.innocent,o=e&&_(r),s=e?o&&je(e,o):t.findIndex(({name:i})=>i===r);return y(s,1/0)?s:void 0}
function To(e,t){let[n,r]=[Qt(e),we(e,t)];return n!==void 0&&r.length>0&&!r.some(([o,s])=>o<=n&&n<s)}
function ld(e){let{kind:t,line:n,cuts:r}=e;if(t==="ring")return Qt(e)!==void 0;let{weights:o,floor:s}=r;return o.some((i,a)=>{let c=[[0,a+1],[a+1,n.ticks]],d=u=>s===null||(s.rule==="skip"?c:[u]).every(l=>Q(s,l));return i>0&&c.some(u=>d(u)&&To(e,u))})}
function $o(e,t){let n=_n(e),r=Qt(n)??0;if(!n.line)return t.inside(n.answers[r].label);let[o,s]=_(n.about.innocent)??[0n,1n];return E.cuts.numberLabel(n.line,Number(o)/Number(s),t)}
function ud(e,t){let{words:n}=t,r=o=>o==="another"?n.partlyNot($o(e,t)):o==="part"?n.partlyTicked:n.partly;return Wn(e).map(r)}
function fd(e,t,n){let{words:r}=n,o=Wn(e).length>0&&Eo(e,t);return o==="part"?`${r.proofTicked} ${Et(e,t,n)}`.trim():o==="another"?r.proofNot($o(e,n)):o&&r.proofHint}
function pd(e,t){return e.some(n=>Wn(n).length>0)?{card:t.cardProof,check:t.checkProof}:{}}
Object.assign($,{proofBadges:ud,proofText:fd,proofTexts:pd});
