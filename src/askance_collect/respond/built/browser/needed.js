var Tc=({needed:e})=>e!==void 0;
function Lc(e){let{words:t}=e;return{...e,words:{...t,rather:"",choose:t.needed,typeOne:t.typeNeeded,typeWhole:t.wholeNeeded}}}
var Ic=e=>(t,n)=>e(t,n).map(r=>{if(!n.questions[r.question??-1]?.needed)return r;let o=s=>r.screen.render(ee(s,{speech:Lc(s.speech)}));return{...r,screen:{...r.screen,render:o}}}),
$c=e=>(t,n)=>[...e(t,n),...t.needed?[h(n.words.needed,"hint")]:[]];
k({name:"needed",detect:({questions:e})=>e.some(Tc),wrap:{arrangeSteps:Ic,renderHints:$c}});
