var zc={checklists:[{at:[0],text:O,items:[O,2],none:O},1]};
function Vc(e){e.checklists.forEach((t,n,r)=>{let o=n>0?(G(r[n-1]).pop()??0)+1:0;w(t.at>=o&&tn(t,e,Qc),`checklists[${n}].at`)})}
var Qc=e=>en(e)&&e.answers.length===2;
function cs(e,t){let n=G(e).map(r=>t.answer(r));if(!n.includes(void 0))return n.some(r=>r?.index===null)?null:n.reduce((r,o,s)=>r+(o?.index===0?2**s:0),0)}
function Jc(e,t,n){G(e).forEach((r,o)=>t.give(r,{index:n===null?null:1-(n>>o&1)}))}
function Zc(e,t){let{form:n,draft:r,speech:o}=e,{at:s,items:i,text:a}=t,c={...n.questions[s],text:a,list:t,ticks:i.length},d=cs(t,r),u=At(K(e,{form:{...n,questions:Object.assign([...n.questions],{[s]:c})},draft:{...r,answer:()=>d===void 0?void 0:{index:d},give:(l,f)=>Jc(t,r,f?.index)}}),s);if(j(c)){let[l,f,m]=u.splice(-3);f.append(h(Xc(c,o))),u.push(h(o.words.tickEach,"hint"),l,f,m)}return u}
function Xc({table:e,ticks:t,...n},r){let o=e.rows.map(s=>s.map(i=>BigInt(i)**BigInt(t)));return Ft({...n,ticks:t,table:{...e,rows:o}},{...r,words:{...r.words,ratio:r.words.tickWhole}})}
function Yc(e,{checklists:t=[]}){return e.flatMap(n=>{let r=t.find(o=>G(o).includes(n.question??-1));return r===void 0?[n]:n.question===r.at?[{...n,screen:{render:o=>Zc(o,r)}}]:[]})}
function qc(e,{form:{checklists:t=[]},draft:n,speech:r},o){let s=[...e];for(let i of t){if(s[i.at]==="")continue;let a=cs(i,n),c=i.items.filter((u,l)=>(a??0)>>l&1).map(r.inside),d=a===null?r.words.unanswered:r.list(c)||r.text(i.none);G(i).forEach(u=>{s[u]=u===i.at?o(r.text(i.text),d,u):""})}return s}
b({name:"lists",shapes:zc,validate:Vc,wrap:{renderAnswers:()=>qc,arrangeSteps:e=>(t,n)=>e(Yc(t,n),n)}});
