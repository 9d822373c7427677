function No(e,t){let n=Gn(e);if(n.kind!=="table")return $.holdsOne?.(n,t)?"answer":Co(n,t)?"another":void 0;let{table:{rows:r},ticks:o=0,list:s,sets:i}=n,a=[...r.keys()].filter(f=>r[f][t]>0);if(a.length===0)return;if(i)return i.some(f=>a.every(g=>f.answers.includes(g)))?"answer":void 0;if(a.length===1)return"answer";let c=s?0:2**o-1,[d,u]=a.reduce(([f,g],w)=>[f&w,g|w],[c,0]);if(d>0||(u&c)<c)return"part";let l=Jt(n);return l===void 0||a.includes(l)?void 0:"another"}
var Kn=Ne(e=>{let t=Gn(e);if(!j(t))return[];let r=t.kind==="table"?t.reports.map((o,s)=>No(e,s)):[$.canHoldOne?.(t)&&"answer",yd(t)&&"another"];return["answer","part","another"].filter(o=>r.includes(o))}),
Gn=e=>$.judged?.(e)??e;
function Jt({line:e,answers:t,about:n}){let r=n?.innocent,o=e&&_(r),s=e?o&&He(e,o):t.findIndex(({name:i})=>i===r);return y(s,1/0)?s:void 0}
function Co(e,t){let[n,r]=[Jt(e),ke(e,t)];return n!==void 0&&r.length>0&&!r.some(([o,s])=>o<=n&&n<s)}
function yd(e){let{kind:t,line:n,cuts:r}=e;if(t==="ring")return Jt(e)!==void 0;let{weights:o,floor:s}=r;return o.some((i,a)=>{let c=[[0,a+1],[a+1,n.ticks]],d=u=>s===null||(s.rule==="skip"?c:[u]).every(l=>J(s,l));return i>0&&c.some(u=>d(u)&&Co(e,u))})}
function vo(e,t){let n=Gn(e),r=Jt(n)??0;if(!n.line)return t.inside(n.answers[r].label);let[o,s]=_(n.about.innocent)??[0n,1n];return T.cuts.numberLabel(n.line,Number(o)/Number(s),t)}
function kd(e,t){let{words:n}=t,r=o=>o==="another"?n.partlyNot(vo(e,t)):o==="part"?n.partlyTicked:n.partly;return Kn(e).map(r)}
function xd(e,t,n){let{words:r}=n,o=Kn(e).length>0&&No(e,t);return o==="part"?`${r.proofTicked} ${Tt(e,t,n)}`.trim():o==="another"?r.proofNot(vo(e,n)):o&&r.proofHint}
function Sd(e,t){return e.some(n=>Kn(n).length>0)?{card:t.cardProof,check:t.checkProof}:{}}
Object.assign($,{proofBadges:kd,proofText:xd,proofTexts:Sd});
function Wo(e,t){let n=ir(e);if(n.kind!=="table")return E.holdsOne?.(n,t)?"answer":Ko(n,t)?"another":void 0;let{table:{rows:r},ticks:o=0,list:s,sets:i}=n,a=[...r.keys()].filter(f=>r[f][t]>0);if(a.length===0)return;if(i)return i.some(f=>a.every(h=>f.answers.includes(h)))?"answer":void 0;if(a.length===1)return"answer";let c=s?0:2**o-1,[d,u]=a.reduce(([f,h],g)=>[f&g,h|g],[c,0]);if(d>0||(u&c)<c)return"part";let l=rn(n);return l===void 0||a.includes(l)?void 0:"another"}
var sr=$e(e=>{let t=ir(e);if(!v(t))return[];let r=t.kind==="table"?t.reports.map((o,s)=>Wo(e,s)):[E.canHoldOne?.(t)&&"answer",Od(t)&&"another"];return["answer","part","another"].filter(o=>r.includes(o))}),
ir=e=>E.judged?.(e)??e;
function rn({line:e,answers:t,about:n}){let r=n?.innocent,o=e&&Pe(r,Ge)&&W(r),s=e?o&&ze(e,o):t.findIndex(({name:i})=>i===r);return C(s,1/0)?s:void 0}
function Ko(e,t){let[n,r]=[rn(e),Se(e,t)];return n!==void 0&&r.length>0&&!r.some(([o,s])=>o<=n&&n<s)}
function Od(e){let{kind:t,line:n,cuts:r}=e;if(t==="ring")return rn(e)!==void 0;let{weights:o,floor:s}=r;return o.some((i,a)=>{let c=[[0,a+1],[a+1,n.ticks]],d=u=>s===null||(s.rule==="skip"?c:[u]).every(l=>V(s,l));return i>0&&c.some(u=>d(u)&&Ko(e,u))})}
function _o(e,t){let n=ir(e),r=rn(n)??0;if(!n.line)return t.inside(n.answers[r].label);let[o,s]=W(n.about.innocent)??[0n,1n];return A.cuts.numberLabel(n.line,Number(o)/Number(s),t)}
function Ad(e,t){let{words:n}=t,r=o=>o==="another"?n.partlyNot(_o(e,t)):o==="part"?n.partlyTicked:n.partly;return sr(e).map(r)}
function Ed(e,t,n){let{words:r}=n,o=sr(e).length>0&&Wo(e,t);return o==="part"?`${r.proofTicked} ${Rt(e,t,n)}`.trim():o==="another"?r.proofNot(_o(e,n)):o&&r.proofHint}
function Nd(e,t){return e.some(n=>sr(n).length>0)?{card:t.cardProof,check:t.checkProof}:{}}
Object.assign(E,{proofBadges:Ad,proofText:Ed,proofTexts:Nd});
