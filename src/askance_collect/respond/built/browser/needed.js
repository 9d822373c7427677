var fo=({needed:e})=>e!==void 0;
function _a({questions:e}){e.filter(fo).forEach(({name:t,needed:n})=>p(n===!0,`${t}.needed`))}
function Ka(e){let{words:t}=e;return{...e,words:{...t,rather:"",choose:t.needed,typeOne:t.typeNeeded,typeWhole:t.wholeNeeded}}}
var Ga=e=>(t,n)=>e(t,n).map(r=>{if(!n.questions[r.question??-1]?.needed)return r;let o=s=>r.screen.render(Ue(s,{speech:Ka(s.speech)}));return{...r,screen:{...r.screen,render:o}}}),
za=e=>(t,n)=>[...e(t,n),...t.needed?[h(n.words.needed,"hint")]:[]];
k({name:"needed",detect:({questions:e})=>e.some(fo),validate:_a,wrap:{arrangeSteps:Ga,renderHints:za}});
