var so=["","ring","square","square ring"];
function Ji(e,t,n,r){let{words:o,inside:s}=r,[i,a]=E.groupAlike?.(e,r)??Zi(e,r);if(i.length>so.length)return;let c=[...so.slice(0,i.length),"either"],d=a.map(g=>Xi(g,e.table.total)),u=d.map((g,k)=>Yi(g,c,t[k]));d.some(g=>g.at(-1))&&i.push(o.oneOfThese);let l=i.map((g,k)=>p("li",{},io(c[k]),g)),f=p("ul",{className:"key"},...l);return t[1]?[...u.flatMap((g,k)=>[m(o.crowd(s(e.answers[k].label))),g]),f,D(o.inWords,n)]:[n,...u,f]}
function Zi({reports:e,table:{rows:t}},{inside:n}){let r=[...e.keys()].filter(o=>t.some(s=>s[o]>0));return[r.map(o=>n(e[o].label)),t.map(o=>r.map(s=>o[s]))]}
function Xi(e,t){let n=e.map(r=>Number(BigInt(r)*100n/BigInt(t)));return[...n,100-C(n)]}
function Yi(e,t,n){let r=e.flatMap((s,i)=>Array(s).fill(t[i])).map(io),o=p("div",{className:"dots"},...r);return o.setAttribute("role","img"),o.setAttribute("aria-label",n),o}
var io=e=>p("i",{className:e});
E.drawDots=Ji;
