var isMarked=({needed:e})=>e!==void 0;
function validateNeeded({questions:e}){e.filter(isMarked).forEach(({name:r,needed:d})=>assert(d===!0,`${r}.needed`))}
function insisting(e){const{words:r}=e;return{...e,words:{...r,rather:"",choose:r.needed,typeOne:r.typeNeeded,typeWhole:r.wholeNeeded}}}
var insist=e=>(r,d)=>e(r,d).map(n=>{if(!d.questions[n.question??-1]?.needed)return n;const a=t=>n.screen.render(derive(t,{speech:insisting(t.speech)}));return{...n,screen:{...n.screen,render:a}}}),
hintNeeded=e=>(r,d)=>[...e(r,d),...r.needed?[paragraph(d.words.needed,"hint")]:[]];
register({name:"needed",detect:({questions:e})=>e.some(isMarked),validate:validateNeeded,wrap:{arrangeSteps:insist,renderHints:hintNeeded}});
