var Ec=({needed:e})=>e!==void 0;
function Nc(e){let{words:t}=e;return{...e,words:{...t,rather:"",choose:t.needed,typeOne:t.typeNeeded,typeWhole:t.wholeNeeded}}}
var Tc=e=>(t,n)=>e(t,n).map(r=>{if(!n.questions[r.question??-1]?.needed)return r;let o=s=>r.screen.render(q(s,{speech:Nc(s.speech)}));return{...r,screen:{...r.screen,render:o}}}),
Lc=e=>(t,n)=>[...e(t,n),...t.needed?[h(n.words.needed,"hint")]:[]];
k({name:"needed",detect:({questions:e})=>e.some(Ec),wrap:{arrangeSteps:Tc,renderHints:Lc}});
var Oc=({needed:e})=>e!==void 0;
function Ac(e){let{words:t}=e;return{...e,words:{...t,rather:"",choose:t.needed,typeOne:t.typeNeeded,typeWhole:t.wholeNeeded}}}
var Ec=e=>(t,n)=>e(t,n).map(r=>{if(!n.questions[r.question??-1]?.needed)return r;let o=s=>r.screen.render(q(s,{speech:Ac(s.speech)}));return{...r,screen:{...r.screen,render:o}}}),
Nc=e=>(t,n)=>[...e(t,n),...t.needed?[h(n.words.needed,"hint")]:[]];
y({name:"needed",detect:({questions:e})=>e.some(Oc),wrap:{arrangeSteps:Ec,renderHints:Nc}});
