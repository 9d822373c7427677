var Wr=["","ring","square","square ring"];
function Ti(e,t,n,r){let{words:o,inside:s}=r,[i,a]=$.groupAlike?.(e,r)??$i(e,r);if(i.length>Wr.length)return;let c=[...Wr.slice(0,i.length),"either"],d=a.map(w=>Li(w,e.table.total)),u=d.map((w,O)=>Ii(w,c,t[O]));d.some(w=>w.at(-1))&&i.push(o.oneOfThese);let l=i.map((w,O)=>m("li",{},_r(c[O]),w)),f=m("ul",{className:"key"},...l);return t[1]?[...u.flatMap((w,O)=>[h(o.crowd(s(e.answers[O].label))),w]),f,U(o.inWords,n)]:[n,...u,f]}
function $i({reports:e,table:{rows:t}},{inside:n}){let r=[...e.keys()].filter(o=>t.some(s=>s[o]>0));return[r.map(o=>n(e[o].label)),t.map(o=>r.map(s=>o[s]))]}
function Li(e,t){let n=e.map(r=>Number(BigInt(r)*100n/BigInt(t)));return[...n,100-C(n)]}
function Ii(e,t,n){let r=e.flatMap((s,i)=>Array(s).fill(t[i])).map(_r),o=m("div",{className:"dots"},...r);return o.setAttribute("role","img"),o.setAttribute("aria-label",n),o}
var _r=e=>m("i",{className:e});
$.drawDots=Ti;
