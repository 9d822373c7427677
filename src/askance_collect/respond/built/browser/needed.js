var Dc=({needed:e})=>e!==void 0;
function Mc(e){let{words:t}=e;return{...e,words:{...t,rather:"",choose:t.needed,typeOne:t.typeNeeded,typeWhole:t.wholeNeeded}}}
var Uc=e=>(t,n)=>e(t,n).map(r=>{if(!n.questions[r.question??-1]?.needed)return r;let o=s=>r.screen.render(V(s,{speech:Mc(s.speech)}));return{...r,screen:{...r.screen,render:o}}}),
Wc=e=>(t,n)=>[...e(t,n),...t.needed?[h(n.words.needed,"hint")]:[]];
b({name:"needed",detect:({questions:e})=>e.some(Dc),wrap:{arrangeSteps:Uc,renderHints:Wc}});
