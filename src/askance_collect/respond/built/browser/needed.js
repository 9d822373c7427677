var co=({needed:e})=>e!==void 0;
function Da({questions:e}){e.filter(co).forEach(({name:t,needed:n})=>p(n===!0,`${t}.needed`))}
function Ua(e){let{words:t}=e;return{...e,words:{...t,rather:"",choose:t.needed,typeOne:t.typeNeeded,typeWhole:t.wholeNeeded}}}
var Fa=e=>(t,n)=>e(t,n).map(r=>{if(!n.questions[r.question??-1]?.needed)return r;let o=s=>r.screen.render(Me(s,{speech:Ua(s.speech)}));return{...r,screen:{...r.screen,render:o}}}),
Wa=e=>(t,n)=>[...e(t,n),...t.needed?[h(n.words.needed,"hint")]:[]];
k({name:"needed",detect:({questions:e})=>e.some(co),validate:Da,wrap:{arrangeSteps:Fa,renderHints:Wa}});
