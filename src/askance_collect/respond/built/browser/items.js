var Oc={"count?":{items:[O,2,void 0,20],sensitive:O,answers:Qe}},
qo=({count:e})=>e;
function Ac({questions:e}){for(let{count:t,groups:n,table:{rows:r}}of e.filter(qo)){let o=t.items.length+1,s=(i,a)=>{let c=[a%o,o+a%o+Math.floor(a/o)];return`${i.flatMap((d,u)=>d>0?[u]:[])}`==`${c}`};w(`${n?.map(({reports:i})=>i)}`==`${[o,o+1]}`,"count"),w(t.answers.length===2&&r.length===2*o&&r.every(s),"count")}}
var lr=({count:{items:e,sensitive:t},groups:n,group:r})=>r===n[1]?[...e,t]:e;
function Ec(e,t,n,r){if(!e.count)return Nn(e,t,n,r);let{answers:o}=e,s=lr(e),i=[0,...s.keys()].map((c,d)=>{let u=d>e.count.items.length?o.length-1:d;return{index:u,label:r.text(o[u].label)}}),a=s.map(c=>p("li",{},r.text(c)));return _e(e,n,r,{offered:i,before:[p("ul",{className:"items"},...a)]})}
var es=(e,{words:t})=>t.countEnds("0",`${lr(e).length}`),
{judged:Tc,proofBadges:Nc,proofText:Lc,describeSets:Ic}=E;
Object.assign(E,{judged(e){let{count:t,answers:n}=e;if(!t)return Tc?.(e);let r=[...n.keys()],o=n.length/2;return{...e,sets:[r.slice(o),r.slice(0,o)].map(s=>({answers:s}))}},proofBadges:(e,t)=>e.count?[t.words.partly]:Nc(e,t),proofText(e,t,n){if(!e.count)return Lc(e,t,n);let{groups:[{reports:r}]}=e,o=t<r?t:t-r;return[0,lr(e).length].includes(o)?es(e,n):n.words.countSent},describeSets:(e,t)=>e.count?{lines:[es(e,t)],hint:t.words.countSent}:Ic?.(e,t)});
var $c=e=>(t,n)=>{let r=n.questions.some(o=>v(o)&&!o.count);return e(r?t:t.filter(({screen:o})=>o!==fe),n)},
Cc=e=>(t,n,r)=>{let o=e(t,n,r);return t.count&&!n?{...o,answers:[]}:o};
N.table=Ec,Object.assign(H.table[0],Oc),b({name:"items",detect:({questions:e})=>e.some(qo),validate:Ac,wrap:{arrangeRoute:$c,resolveQuestion:Cc}});
