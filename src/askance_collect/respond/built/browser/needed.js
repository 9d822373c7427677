var fd=({needed:e})=>e!==void 0;
function pd(e){let{words:t}=e;return{...e,words:{...t,rather:"",choose:t.needed,typeOne:t.typeNeeded,typeWhole:t.wholeNeeded}}}
var md=e=>(t,n)=>e(t,n).map(r=>{if(!n.questions[r.question??-1]?.needed)return r;let o=s=>r.screen.render(G(s,{speech:pd(s.speech)}));return{...r,screen:{...r.screen,render:o}}}),
hd=e=>(t,n)=>[...e(t,n),...t.needed?[h(n.words.needed,"hint")]:[]];
b({name:"needed",detect:({questions:e})=>e.some(fd),wrap:{arrangeSteps:md,renderHints:hd}});
