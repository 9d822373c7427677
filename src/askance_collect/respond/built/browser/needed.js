var xc=({needed:e})=>e!==void 0;
function Sc(e){let{words:t}=e;return{...e,words:{...t,rather:"",choose:t.needed,typeOne:t.typeNeeded,typeWhole:t.wholeNeeded}}}
var Oc=e=>(t,n)=>e(t,n).map(r=>{if(!n.questions[r.question??-1]?.needed)return r;let o=s=>r.screen.render(q(s,{speech:Sc(s.speech)}));return{...r,screen:{...r.screen,render:o}}}),
Ac=e=>(t,n)=>[...e(t,n),...t.needed?[h(n.words.needed,"hint")]:[]];
y({name:"needed",detect:({questions:e})=>e.some(xc),wrap:{arrangeSteps:Oc,renderHints:Ac}});
