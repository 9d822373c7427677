var ud=({needed:e})=>e!==void 0;
function fd(e){let{words:t}=e;return{...e,words:{...t,rather:"",choose:t.needed,typeOne:t.typeNeeded,typeWhole:t.wholeNeeded}}}
var pd=e=>(t,n)=>e(t,n).map(r=>{if(!n.questions[r.question??-1]?.needed)return r;let o=s=>r.screen.render(G(s,{speech:fd(s.speech)}));return{...r,screen:{...r.screen,render:o}}}),
md=e=>(t,n)=>[...e(t,n),...t.needed?[h(n.words.needed,"hint")]:[]];
b({name:"needed",detect:({questions:e})=>e.some(ud),wrap:{arrangeSteps:pd,renderHints:md}});
