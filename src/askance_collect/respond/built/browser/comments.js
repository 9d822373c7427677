var Ni=e=>(t,n)=>{let r=({question:o=-1})=>n.questions[o]?.beside;return t.some(r)?gt(e(t.filter(o=>!r(o)),n)).flatMap(o=>{let s=(o.question??-2)+1;if(!r({question:s}))return[o];let i=ye(o.screen,(a,c)=>Ti(a,s,c));return[{...o,screen:i},{question:s,beside:!0,screen:i}]}):e(t,n)};
function Ti(e,t,{form:n,draft:r,speech:o}){let s=n.questions[t],i=e.pop(),a=Object.assign(P(),{id:"overlong"}),{nodes:c,read:d}=Rn(s,r.answer(t),o,o.text(s.text),"comment"),u=p("div",{},a,...c);return Te(u,a),i.addEventListener("click",l=>{try{r.give(t,d(a))}catch{l.stopPropagation()}},!0),[...e,u,i]}
var Li=e=>(t,n,r,o)=>{let s=e(t,n,r,o);for(;r&&t[s].beside;)s=e(t,s+r,r,o);return s};
y({name:"comments",detect:()=>!1,wrap:{arrangeSteps:Ni,nextStep:Li}});
