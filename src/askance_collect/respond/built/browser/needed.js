var gc=({needed:e})=>e!==void 0;
function wc(e){let{words:t}=e;return{...e,words:{...t,rather:"",choose:t.needed,typeOne:t.typeNeeded,typeWhole:t.wholeNeeded}}}
var bc=e=>(t,n)=>e(t,n).map(r=>{if(!n.questions[r.question??-1]?.needed)return r;let o=s=>r.screen.render(_e(s,{speech:wc(s.speech)}));return{...r,screen:{...r.screen,render:o}}}),
yc=e=>(t,n)=>[...e(t,n),...t.needed?[m(n.words.needed,"hint")]:[]];
y({name:"needed",detect:({questions:e})=>e.some(gc),wrap:{arrangeSteps:bc,renderHints:yc}});
