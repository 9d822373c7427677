var ai=e=>(t,n)=>{let r=({question:o=-1})=>n.questions[o]?.beside;return t.some(r)?lt(e(t.filter(o=>!r(o)),n)).flatMap(o=>{let s=(o.question??-2)+1;if(!r({question:s}))return[o];let i=he(o.screen,(a,c)=>ci(a,s,c));return[{...o,screen:i},{question:s,beside:!0,screen:i}]}):e(t,n)};
function ci(e,t,{form:n,draft:r,speech:o}){let s=n.questions[t],i=e.pop(),a=Object.assign(H(),{id:"overlong"}),{nodes:c,read:d}=xn(s,r.answer(t),o,o.text(s.text),"comment"),u=m("div",{},a,...c);return Se(u,a),i.addEventListener("click",l=>{try{r.give(t,d(a))}catch{l.stopPropagation()}},!0),[...e,u,i]}
var di=e=>(t,n,r,o)=>{let s=e(t,n,r,o);for(;r&&t[s].beside;)s=e(t,s+r,r,o);return s};
k({name:"comments",detect:()=>!1,wrap:{arrangeSteps:ai,nextStep:di}});
var xi=e=>(t,n)=>{let r=({question:o=-1})=>n.questions[o]?.beside;return t.some(r)?ht(e(t.filter(o=>!r(o)),n)).flatMap(o=>{let s=(o.question??-2)+1;if(!r({question:s}))return[o];let i=Ke(o.screen,(a,c)=>Si(a,s,c));return[{...o,screen:i},{question:s,beside:!0,screen:i}]}):e(t,n)};
function Si(e,t,{form:n,draft:r,speech:o}){let s=n.questions[t],i=e.pop(),a=Object.assign(P(),{id:"overlong"}),{nodes:c,read:d}=$n(s,r.answer(t),o,o.text(s.text),"comment"),u=p("div",{},a,...c);return Ae(u,a),i.addEventListener("click",l=>{try{r.give(t,d(a))}catch{l.stopPropagation()}},!0),[...e,u,i]}
var Oi=e=>(t,n,r,o)=>{let s=e(t,n,r,o);for(;r&&t[s].beside;)s=e(t,s+r,r,o);return s};
y({name:"comments",detect:()=>!1,wrap:{arrangeSteps:xi,nextStep:Oi}});
