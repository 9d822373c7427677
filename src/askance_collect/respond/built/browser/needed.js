var bc=({needed:e})=>e!==void 0;
function yc(e){let{words:t}=e;return{...e,words:{...t,rather:"",choose:t.needed,typeOne:t.typeNeeded,typeWhole:t.wholeNeeded}}}
var kc=e=>(t,n)=>e(t,n).map(r=>{if(!n.questions[r.question??-1]?.needed)return r;let o=s=>r.screen.render(te(s,{speech:yc(s.speech)}));return{...r,screen:{...r.screen,render:o}}}),
xc=e=>(t,n)=>[...e(t,n),...t.needed?[h(n.words.needed,"hint")]:[]];
y({name:"needed",detect:({questions:e})=>e.some(bc),wrap:{arrangeSteps:kc,renderHints:xc}});
