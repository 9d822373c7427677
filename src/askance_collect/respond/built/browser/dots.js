var yo=["","ring","square","square ring"];
function la(e,t,n,r){let{words:o,inside:s}=r,[i,a]=T.groupAlike?.(e,r)??ua(e,r);if(i.length>yo.length)return;let c=[...yo.slice(0,i.length),"either"],d=a.map(g=>fa(g,e.table.total)),u=d.map((g,k)=>pa(g,c,t[k]));d.some(g=>g.at(-1))&&i.push(o.oneOfThese);let l=i.map((g,k)=>p("li",{},ko(c[k]),g)),f=p("ul",{className:"key"},...l);return t[1]?[...u.flatMap((g,k)=>[h(o.crowd(s(e.answers[k].label))),g]),f,v(o.inWords,n)]:[n,...u,f]}
function ua({reports:e,table:{rows:t}},{inside:n}){let r=[...e.keys()].filter(o=>t.some(s=>s[o]>0));return[r.map(o=>n(e[o].label)),t.map(o=>r.map(s=>o[s]))]}
function fa(e,t){let n=e.map(r=>Number(BigInt(r)*100n/BigInt(t)));return[...n,100-$(n)]}
function pa(e,t,n){let r=e.flatMap((s,i)=>Array(s).fill(t[i])).map(ko),o=p("div",{className:"dots"},...r);return o.setAttribute("role","img"),o.setAttribute("aria-label",n),o}
var ko=e=>p("i",{className:e});
T.drawDots=la;
