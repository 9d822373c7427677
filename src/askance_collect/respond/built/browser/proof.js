function Zo(e,t){let n=dr(e);if(n.kind!=="table")return E.holdsOne?.(n,t)?"answer":Xo(n,t)?"other":void 0;let{table:{rows:r},ticks:o=0,list:s,sets:i}=n,a=[...r.keys()].filter(f=>r[f][t]>0);if(a.length===0)return;if(i)return i.some(f=>a.every(m=>f.answers.includes(m)))?"answer":void 0;if(a.length===1)return"answer";let c=s?0:2**o-1,[d,u]=a.reduce(([f,m],g)=>[f&g,m|g],[c,0]);if(d>0||(u&c)<c)return"part";let l=un(n);return l===void 0||a.includes(l)?void 0:"other"}
var cr=Pe(e=>{let t=dr(e);if(!v(t))return[];let r=t.kind==="table"?t.reports.map((o,s)=>Zo(e,s)):[E.canHoldOne?.(t)&&"answer",yc(t)&&"other"];return["answer","part","other"].filter(o=>r.includes(o))}),
dr=e=>E.judged?.(e)??e;
function un({line:e,answers:t,about:n}){let r=n?.innocent,o=e&&Ge(r,Ye)&&W(r),s=e?o&&qe(e,o):t.findIndex(({name:i})=>i===r);return C(s,1/0)?s:void 0}
function Xo(e,t){let[n,r]=[un(e),Le(e,t)];return n!==void 0&&r.length>0&&!r.some(([o,s])=>o<=n&&n<s)}
function yc(e){let{kind:t,line:n,cuts:r}=e;if(un(e)===void 0)return!1;if(t==="ring")return!0;let{weights:o,floor:s}=r;return o.some((i,a)=>{let c=[[0,a+1],[a+1,n.ticks]],d=u=>s===null||(s.rule==="skip"?c:[u]).every(l=>Z(s,l));return i>0&&c.some(u=>d(u)&&Xo(e,u))})}
function Yo(e,t){let n=dr(e),r=un(n)??0;if(!n.line)return t.inside(n.answers[r].label);let[o,s]=W(n.about.innocent)??[0n,1n];return S.cuts.numberLabel(n.line,Number(o)/Number(s),t)}
function kc(e,t){let{words:n}=t,r=o=>o==="other"?n.partlyNot(Yo(e,t)):o==="part"?n.partlyTicked:n.partly;return cr(e).map(r)}
function xc(e,t,n){let{words:r}=n,o=cr(e).length>0&&Zo(e,t);return o==="part"?`${r.proofTicked} ${Pt(e,t,n)}`.trim():o==="other"?r.proofNot(Yo(e,n)):o&&r.proofHint}
function Sc(e,t){return e.some(n=>cr(n).length>0)?{card:t.cardProof,check:t.checkProof}:{}}
Object.assign(E,{proofBadges:kc,proofText:xc,proofTexts:Sc});
