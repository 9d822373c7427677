var $c=({needed:e})=>e!==void 0;
function Cc(e){let{words:t}=e;return{...e,words:{...t,rather:"",choose:t.needed,typeOne:t.typeNeeded,typeWhole:t.wholeNeeded}}}
var Rc=e=>(t,n)=>e(t,n).map(r=>{if(!n.questions[r.question??-1]?.needed)return r;let o=s=>r.screen.render(ee(s,{speech:Cc(s.speech)}));return{...r,screen:{...r.screen,render:o}}}),
vc=e=>(t,n)=>[...e(t,n),...t.needed?[h(n.words.needed,"hint")]:[]];
y({name:"needed",detect:({questions:e})=>e.some($c),wrap:{arrangeSteps:Rc,renderHints:vc}});
