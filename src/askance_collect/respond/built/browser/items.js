var yc={"count?":{items:[O,2,void 0,20],sensitive:O,answers:Qe}},
Yo=({count:e})=>e;
function kc({questions:e}){for(let{count:t,groups:n,table:{rows:r}}of e.filter(Yo)){let o=t.items.length+1,s=(i,a)=>{let c=[a%o,o+a%o+Math.floor(a/o)];return`${i.flatMap((d,u)=>d>0?[u]:[])}`==`${c}`};w(`${n?.map(({reports:i})=>i)}`==`${[o,o+1]}`,"count"),w(t.answers.length===2&&r.length===2*o&&r.every(s),"count")}}
var fr=({count:{items:e,sensitive:t},groups:n,group:r})=>r===n[1]?[...e,t]:e;
function xc(e,t,n,r){if(!e.count)return En(e,t,n,r);let{answers:o}=e,s=fr(e),i=[0,...s.keys()].map((c,d)=>{let u=d>e.count.items.length?o.length-1:d;return{index:u,label:r.text(o[u].label)}}),a=s.map(c=>p("li",{},r.text(c)));return Re(e,n,r,{offered:i,before:[p("ul",{className:"items"},...a)]})}
var qo=(e,{words:t})=>t.countEnds("0",`${fr(e).length}`),
{judged:Sc,proofBadges:Oc,proofText:Ac,describeSets:Ec}=E;
Object.assign(E,{judged(e){let{count:t,answers:n}=e;if(!t)return Sc?.(e);let r=[...n.keys()],o=n.length/2;return{...e,sets:[r.slice(o),r.slice(0,o)].map(s=>({answers:s}))}},proofBadges:(e,t)=>e.count?[t.words.partly]:Oc(e,t),proofText(e,t,n){if(!e.count)return Ac(e,t,n);let{groups:[{reports:r}]}=e,o=t<r?t:t-r;return[0,fr(e).length].includes(o)?qo(e,n):n.words.countSent},describeSets:(e,t)=>e.count?{lines:[qo(e,t)],hint:t.words.countSent}:Ec?.(e,t)});
var Nc=e=>(t,n)=>{let r=n.questions.some(o=>j(o)&&!o.count);return e(r?t:t.filter(({screen:o})=>o!==ue),n)};
T.table=xc,Object.assign(H.table[0],yc),b({name:"items",detect:({questions:e})=>e.some(Yo),validate:kc,wrap:{arrangeRoute:Nc}});
