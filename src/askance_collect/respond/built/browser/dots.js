var go=["","ring","square","square ring"];
function ea(e,t,n,r){let{words:o,inside:s}=r,[i,a]=E.groupAlike?.(e,r)??ta(e,r);if(i.length>go.length)return;let c=[...go.slice(0,i.length),"either"],d=a.map(g=>na(g,e.table.total)),u=d.map((g,k)=>ra(g,c,t[k]));d.some(g=>g.at(-1))&&i.push(o.oneOfThese);let l=i.map((g,k)=>p("li",{},wo(c[k]),g)),f=p("ul",{className:"key"},...l);return t[1]?[...u.flatMap((g,k)=>[h(o.crowd(s(e.answers[k].label))),g]),f,F(o.inWords,n)]:[n,...u,f]}
function ta({reports:e,table:{rows:t}},{inside:n}){let r=[...e.keys()].filter(o=>t.some(s=>s[o]>0));return[r.map(o=>n(e[o].label)),t.map(o=>r.map(s=>o[s]))]}
function na(e,t){let n=e.map(r=>Number(BigInt(r)*100n/BigInt(t)));return[...n,100-C(n)]}
function ra(e,t,n){let r=e.flatMap((s,i)=>Array(s).fill(t[i])).map(wo),o=p("div",{className:"dots"},...r);return o.setAttribute("role","img"),o.setAttribute("aria-label",n),o}
var wo=e=>p("i",{className:e});
E.drawDots=ea;
