var Sd={images:[B({image:Xn,alt:I,at:[B({question:[0],"answer?":[0]}),1,j]}),1]};
function Od(e){let t=e.images.flatMap(r=>r.at),n=({question:r,answer:o=-1})=>r<e.questions.length&&o<(Ad(r,e)??-1);w(e.images.every(Yn)&&t.every(n),"images"),w(j(t.map(({question:r,answer:o})=>`${r} ${o}`)),"images")}
function Ad(e,{questions:t,checklists:n=[]}){let r=n.find(({at:a,items:c})=>e>=a&&e<a+c.length);if(r)return e===r.at?r.items.length:void 0;let{answers:o,beside:s,ticks:i}=t[e];return s?void 0:i??o?.length??0}
function ns(e,t,{form:n,speech:r}){let o=e.flatMap(s=>[...s.querySelectorAll("fieldset .option")]);for(let s of n.images)for(let{answer:i}of s.at.filter(a=>a.question===t)){let a=nn(s,r,"picture");i===void 0?e.splice(e.findIndex(({id:c})=>c===Ht)+1,0,a):Ed(o[i],a,`picture-${i}`)}return e}
function Ed(e,t,n){let[r,o]=e.children;e.append(Object.assign(t,{id:n})),o.id=`${n}-said`,r.setAttribute("aria-labelledby",o.id),r.setAttribute("aria-describedby",n)}
var Nd=e=>(t,n)=>e(t,n).map(r=>{if(r.question===void 0)return r;let o=r.question-(r.beside?1:0);return{...r,screen:Ge(r.screen,(s,i)=>ns(s,o,i))}});
k({name:"pictures",shapes:Sd,validate:Od,wrap:{illustrate:()=>ns,arrangeSteps:Nd}});
var kd={images:[j({image:Zn,alt:N,at:[j({question:[0],"answer?":[0]}),1,v]}),1]};
function xd(e){let t=e.images.flatMap(r=>r.at),n=({question:r,answer:o=-1})=>r<e.questions.length&&o<(Sd(r,e)??-1);b(e.images.every(Xn)&&t.every(n),"images"),b(v(t.map(({question:r,answer:o})=>`${r} ${o}`)),"images")}
function Sd(e,{questions:t,checklists:n=[]}){let r=n.find(({at:a,items:c})=>e>=a&&e<a+c.length);if(r)return e===r.at?r.items.length:void 0;let{answers:o,beside:s,ticks:i}=t[e];return s?void 0:i??o?.length??0}
function es(e,t,{form:n,speech:r}){let o=e.flatMap(s=>[...s.querySelectorAll("fieldset .option")]);for(let s of n.images)for(let{answer:i}of s.at.filter(a=>a.question===t)){let a=en(s,r,"picture");i===void 0?e.splice(e.findIndex(({tagName:c})=>c==="H1")+1,0,a):Od(o[i],a,`picture-${i}`)}return e}
function Od(e,t,n){let[r,o]=e.children;e.append(Object.assign(t,{id:n})),o.id=`${n}-said`,r.setAttribute("aria-labelledby",o.id),r.setAttribute("aria-describedby",n)}
var Ad=e=>(t,n)=>e(t,n).map(r=>{if(r.question===void 0)return r;let o=r.question-(r.beside?1:0);return{...r,screen:Dt(r.screen,(s,i)=>es(s,o,i))}});
y({name:"pictures",shapes:kd,validate:xd,wrap:{illustrate:()=>es,arrangeSteps:Ad}});
