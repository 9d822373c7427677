var wo=["","ring","square","square ring"];
function sa(e,t,n,r){let{words:o,inside:s}=r,[i,a]=N.groupAlike?.(e,r)??ia(e,r);if(i.length>wo.length)return;let c=[...wo.slice(0,i.length),"either"],d=a.map(g=>aa(g,e.table.total)),u=d.map((g,y)=>ca(g,c,t[y]));d.some(g=>g.at(-1))&&i.push(o.oneOfThese);let l=i.map((g,y)=>m("li",{},bo(c[y]),g)),f=m("ul",{className:"key"},...l);return t[1]?[...u.flatMap((g,y)=>[h(o.crowd(s(e.answers[y].label))),g]),f,j(o.inWords,n)]:[n,...u,f]}
function ia({reports:e,table:{rows:t}},{inside:n}){let r=[...e.keys()].filter(o=>t.some(s=>s[o]>0));return[r.map(o=>n(e[o].label)),t.map(o=>r.map(s=>o[s]))]}
function aa(e,t){let n=e.map(r=>Number(BigInt(r)*100n/BigInt(t)));return[...n,100-$(n)]}
function ca(e,t,n){let r=e.flatMap((s,i)=>Array(s).fill(t[i])).map(bo),o=m("div",{className:"dots"},...r);return o.setAttribute("role","img"),o.setAttribute("aria-label",n),o}
var bo=e=>m("i",{className:e});
N.drawDots=sa;
