var Zc={checklists:[{at:[0],text:O,items:[O,2],none:O},1]};
function Xc(e){e.checklists.forEach((t,n,r)=>{let o=n>0?(V(r[n-1]).pop()??0)+1:0;w(t.at>=o&&rn(t,e,Yc),`checklists[${n}].at`)})}
var Yc=e=>nn(e)&&e.answers.length===2;
function ds(e,t){let n=V(e).map(r=>t.answer(r));if(!n.includes(void 0))return n.some(r=>r?.index===null)?null:n.reduce((r,o,s)=>r+(o?.index===0?2**s:0),0)}
function qc(e,t,n){V(e).forEach((r,o)=>t.give(r,{index:n===null?null:1-(n>>o&1)}))}
function ed(e,t){let{form:n,draft:r,speech:o}=e,{at:s,items:i,text:a}=t,c={...n.questions[s],text:a,list:t,ticks:i.length},d=ds(t,r),u=At(G(e,{form:{...n,questions:Object.assign([...n.questions],{[s]:c})},draft:{...r,answer:()=>d===void 0?void 0:{index:d},give:(l,f)=>qc(t,r,f?.index)}}),s);if(v(c)){let[l,f,m]=u.splice(-3);f.append(h(td(c,o))),u.push(h(o.words.tickEach,"hint"),l,f,m)}return u}
function td({table:e,ticks:t,...n},r){let o=e.rows.map(s=>s.map(i=>BigInt(i)**BigInt(t)));return Ft({...n,ticks:t,table:{...e,rows:o}},{...r,words:{...r.words,ratio:r.words.tickWhole}})}
function nd(e,{checklists:t=[]}){return e.flatMap(n=>{let r=t.find(o=>V(o).includes(n.question??-1));return r===void 0?[n]:n.question===r.at?[{...n,screen:{render:o=>ed(o,r)}}]:[]})}
function rd(e,{form:{checklists:t=[]},draft:n,speech:r},o){let s=[...e];for(let i of t){if(s[i.at]==="")continue;let a=ds(i,n),c=i.items.filter((u,l)=>(a??0)>>l&1).map(r.inside),d=a===null?r.words.unanswered:r.list(c)||r.text(i.none);V(i).forEach(u=>{s[u]=u===i.at?o(r.text(i.text),d,u):""})}return s}
b({name:"lists",shapes:Zc,validate:Xc,wrap:{renderAnswers:()=>rd,arrangeSteps:e=>(t,n)=>e(nd(t,n),n)}});
