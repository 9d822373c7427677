var wo=["","ring","square","square ring"];
function ca(e,t,n,r){let{words:o,inside:s}=r,[i,a]=N.groupAlike?.(e,r)??da(e,r);if(i.length>wo.length)return;let c=[...wo.slice(0,i.length),"either"],d=a.map(g=>la(g,e.table.total)),u=d.map((g,k)=>ua(g,c,t[k]));d.some(g=>g.at(-1))&&i.push(o.oneOfThese);let l=i.map((g,k)=>m("li",{},bo(c[k]),g)),f=m("ul",{className:"key"},...l);return t[1]?[...u.flatMap((g,k)=>[h(o.crowd(s(e.answers[k].label))),g]),f,v(o.inWords,n)]:[n,...u,f]}
function da({reports:e,table:{rows:t}},{inside:n}){let r=[...e.keys()].filter(o=>t.some(s=>s[o]>0));return[r.map(o=>n(e[o].label)),t.map(o=>r.map(s=>o[s]))]}
function la(e,t){let n=e.map(r=>Number(BigInt(r)*100n/BigInt(t)));return[...n,100-$(n)]}
function ua(e,t,n){let r=e.flatMap((s,i)=>Array(s).fill(t[i])).map(bo),o=m("div",{className:"dots"},...r);return o.setAttribute("role","img"),o.setAttribute("aria-label",n),o}
var bo=e=>m("i",{className:e});
N.drawDots=ca;
