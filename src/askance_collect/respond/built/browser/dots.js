var SHAPES=["","ring","square","square ring"];
function drawDots(e,a,r,n){const{words:t,inside:l}=n,[o,p]=oddsTexts.groupAlike?.(e,n)??byAnswer(e,n);if(o.length>SHAPES.length)return;const c=[...SHAPES.slice(0,o.length),"either"],d=p.map(s=>inPeople(s,e.table.total)),m=d.map((s,i)=>crowd(s,c,a[i]));d.some(s=>s.at(-1))&&o.push(t.oneOfThese);const f=o.map((s,i)=>element("li",{},dot(c[i]),s)),u=element("ul",{className:"key"},...f);return a[1]?[...m.flatMap((s,i)=>[paragraph(t.crowd(l(e.answers[i].label))),s]),u,foldOut(t.inWords,r)]:[r,...m,u]}
function byAnswer({reports:e,table:{rows:a}},{inside:r}){const n=[...e.keys()].filter(t=>a.some(l=>l[t]>0));return[n.map(t=>r(e[t].label)),a.map(t=>n.map(l=>t[l]))]}
function inPeople(e,a){const r=e.map(n=>Number(BigInt(n)*100n/BigInt(a)));return[...r,100-sum(r)]}
function crowd(e,a,r){const n=e.flatMap((l,o)=>Array(l).fill(a[o])).map(dot),t=element("div",{className:"dots"},...n);return t.setAttribute("role","img"),t.setAttribute("aria-label",r),t}
var dot=e=>element("i",{className:e});
oddsTexts.drawDots=drawDots;
