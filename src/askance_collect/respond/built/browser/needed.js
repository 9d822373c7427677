var wo=({needed:e})=>e!==void 0;
function Xa({questions:e}){e.filter(wo).forEach(({name:t,needed:n})=>p(n===!0,`${t}.needed`))}
function qa(e){let{words:t}=e;return{...e,words:{...t,rather:"",choose:t.needed,typeOne:t.typeNeeded,typeWhole:t.wholeNeeded}}}
var ec=e=>(t,n)=>e(t,n).map(r=>{if(!n.questions[r.question??-1]?.needed)return r;let o=s=>r.screen.render(Ue(s,{speech:qa(s.speech)}));return{...r,screen:{...r.screen,render:o}}}),
tc=e=>(t,n)=>[...e(t,n),...t.needed?[h(n.words.needed,"hint")]:[]];
k({name:"needed",detect:({questions:e})=>e.some(wo),validate:Xa,wrap:{arrangeSteps:ec,renderHints:tc}});
var ic=({needed:e})=>e!==void 0;
function ac(e){let{words:t}=e;return{...e,words:{...t,rather:"",choose:t.needed,typeOne:t.typeNeeded,typeWhole:t.wholeNeeded}}}
var cc=e=>(t,n)=>e(t,n).map(r=>{if(!n.questions[r.question??-1]?.needed)return r;let o=s=>r.screen.render(_e(s,{speech:ac(s.speech)}));return{...r,screen:{...r.screen,render:o}}}),
dc=e=>(t,n)=>[...e(t,n),...t.needed?[m(n.words.needed,"hint")]:[]];
y({name:"needed",detect:({questions:e})=>e.some(ic),wrap:{arrangeSteps:cc,renderHints:dc}});
