var No=["","ring","square","square ring"];
function ka(e,t,n,r){let{words:o,inside:s}=r,[i,a]=N.groupAlike?.(e,r)??xa(e,r);if(i.length>No.length)return;let c=[...No.slice(0,i.length),"either"],d=a.map(g=>Sa(g,e.table.total)),u=d.map((g,k)=>Oa(g,c,t[k]));d.some(g=>g.at(-1))&&i.push(o.oneOfThese);let l=i.map((g,k)=>m("li",{},To(c[k]),g)),f=m("ul",{className:"key"},...l);return t[1]?[...u.flatMap((g,k)=>[h(o.crowd(s(e.answers[k].label))),g]),f,j(o.inWords,n)]:[n,...u,f]}
function xa({reports:e,table:{rows:t}},{inside:n}){let r=[...e.keys()].filter(o=>t.some(s=>s[o]>0));return[r.map(o=>n(e[o].label)),t.map(o=>r.map(s=>o[s]))]}
function Sa(e,t){let n=e.map(r=>Number(BigInt(r)*100n/BigInt(t)));return[...n,100-$(n)]}
function Oa(e,t,n){let r=e.flatMap((s,i)=>Array(s).fill(t[i])).map(To),o=m("div",{className:"dots"},...r);return o.setAttribute("role","img"),o.setAttribute("aria-label",n),o}
var To=e=>m("i",{className:e});
N.drawDots=ka;
