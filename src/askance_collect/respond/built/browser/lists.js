var Xc={checklists:[{at:[0],text:O,items:[O,2],none:O},1]};
function Yc(e){e.checklists.forEach((t,n,r)=>{let o=n>0?(z(r[n-1]).pop()??0)+1:0;w(t.at>=o&&rn(t,e,qc),`checklists[${n}].at`)})}
var qc=e=>nn(e)&&e.answers.length===2;
function ds(e,t){let n=z(e).map(r=>t.answer(r));if(!n.includes(void 0))return n.some(r=>r?.index===null)?null:n.reduce((r,o,s)=>r+(o?.index===0?2**s:0),0)}
function ed(e,t,n){z(e).forEach((r,o)=>t.give(r,{index:n===null?null:1-(n>>o&1)}))}
function td(e,t){let{form:n,draft:r,speech:o}=e,{at:s,items:i,text:a}=t,c={...n.questions[s],text:a,list:t,ticks:i.length},d=ds(t,r),u=At(G(e,{form:{...n,questions:Object.assign([...n.questions],{[s]:c})},draft:{...r,answer:()=>d===void 0?void 0:{index:d},give:(l,f)=>ed(t,r,f?.index)}}),s);if(v(c)){let[l,f,m]=u.splice(-3);f.append(h(nd(c,o))),u.push(h(o.words.tickEach,"hint"),l,f,m)}return u}
function nd({table:e,ticks:t,...n},r){let o=e.rows.map(s=>s.map(i=>BigInt(i)**BigInt(t)));return Ft({...n,ticks:t,table:{...e,rows:o}},{...r,words:{...r.words,ratio:r.words.tickWhole}})}
function rd(e,{checklists:t=[]}){return e.flatMap(n=>{let r=t.find(o=>z(o).includes(n.question??-1));return r===void 0?[n]:n.question===r.at?[{...n,screen:{render:o=>td(o,r)}}]:[]})}
function od(e,{form:{checklists:t=[]},draft:n,speech:r},o){let s=[...e];for(let i of t){if(s[i.at]==="")continue;let a=ds(i,n),c=i.items.filter((u,l)=>(a??0)>>l&1).map(r.inside),d=a===null?r.words.unanswered:r.list(c)||r.text(i.none);z(i).forEach(u=>{s[u]=u===i.at?o(r.text(i.text),d,u):""})}return s}
b({name:"lists",shapes:Xc,validate:Yc,wrap:{renderAnswers:()=>od,arrangeSteps:e=>(t,n)=>e(rd(t,n),n)}});
