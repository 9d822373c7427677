var cd=({needed:e})=>e!==void 0;
function dd(e){let{words:t}=e;return{...e,words:{...t,rather:"",choose:t.needed,typeOne:t.typeNeeded,typeWhole:t.wholeNeeded}}}
var ld=e=>(t,n)=>e(t,n).map(r=>{if(!n.questions[r.question??-1]?.needed)return r;let o=s=>r.screen.render(K(s,{speech:dd(s.speech)}));return{...r,screen:{...r.screen,render:o}}}),
ud=e=>(t,n)=>[...e(t,n),...t.needed?[h(n.words.needed,"hint")]:[]];
b({name:"needed",detect:({questions:e})=>e.some(cd),wrap:{arrangeSteps:ld,renderHints:ud}});
