var _r=["","ring","square","square ring"];
function Ci(e,t,n,r){let{words:o,inside:s}=r,[i,a]=$.groupAlike?.(e,r)??vi(e,r);if(i.length>_r.length)return;let c=[..._r.slice(0,i.length),"either"],d=a.map(w=>Ri(w,e.table.total)),u=d.map((w,S)=>ji(w,c,t[S]));d.some(w=>w.at(-1))&&i.push(o.oneOfThese);let l=i.map((w,S)=>m("li",{},Kr(c[S]),w)),f=m("ul",{className:"key"},...l);return t[1]?[...u.flatMap((w,S)=>[h(o.crowd(s(e.answers[S].label))),w]),f,U(o.inWords,n)]:[n,...u,f]}
function vi({reports:e,table:{rows:t}},{inside:n}){let r=[...e.keys()].filter(o=>t.some(s=>s[o]>0));return[r.map(o=>n(e[o].label)),t.map(o=>r.map(s=>o[s]))]}
function Ri(e,t){let n=e.map(r=>Number(BigInt(r)*100n/BigInt(t)));return[...n,100-C(n)]}
function ji(e,t,n){let r=e.flatMap((s,i)=>Array(s).fill(t[i])).map(Kr),o=m("div",{className:"dots"},...r);return o.setAttribute("role","img"),o.setAttribute("aria-label",n),o}
var Kr=e=>m("i",{className:e});
$.drawDots=Ci;
var oo=["","ring","square","square ring"];
function _i(e,t,n,r){let{words:o,inside:s}=r,[i,a]=E.groupAlike?.(e,r)??Gi(e,r);if(i.length>oo.length)return;let c=[...oo.slice(0,i.length),"either"],d=a.map(g=>zi(g,e.table.total)),u=d.map((g,S)=>Vi(g,c,t[S]));d.some(g=>g.at(-1))&&i.push(o.oneOfThese);let l=i.map((g,S)=>p("li",{},so(c[S]),g)),f=p("ul",{className:"key"},...l);return t[1]?[...u.flatMap((g,S)=>[m(o.crowd(s(e.answers[S].label))),g]),f,D(o.inWords,n)]:[n,...u,f]}
function Gi({reports:e,table:{rows:t}},{inside:n}){let r=[...e.keys()].filter(o=>t.some(s=>s[o]>0));return[r.map(o=>n(e[o].label)),t.map(o=>r.map(s=>o[s]))]}
function zi(e,t){let n=e.map(r=>Number(BigInt(r)*100n/BigInt(t)));return[...n,100-I(n)]}
function Vi(e,t,n){let r=e.flatMap((s,i)=>Array(s).fill(t[i])).map(so),o=p("div",{className:"dots"},...r);return o.setAttribute("role","img"),o.setAttribute("aria-label",n),o}
var so=e=>p("i",{className:e});
E.drawDots=_i;
