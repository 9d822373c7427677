function Xc(e){let{images:t,languages:n}=e;p(A(t)&&t.length>0,"images");let r=({at:o,...s})=>Kt(s,n)&&A(o)&&o.length>0&&o.every(i=>qc(i,e));t.forEach((o,s)=>p(o!==null&&r(o),`images[${s}]`)),p(M(t.flatMap(({at:o})=>o.map(({question:s,answer:i})=>`${s} ${i}`))),"images")}
function qc(e,t){let n=Object.keys(e??{});if(!n.every(o=>o==="question"||o==="answer")||!y(e.question,t.questions.length))return!1;let r=ed(e.question,t);return r!==void 0&&(n.length===1||y(e.answer,r))}
function ed(e,{questions:t,checklists:n=[]}){let r=n.find(({at:a,items:c})=>e>=a&&e<a+c.length);if(r)return e===r.at?r.items.length:void 0;let{answers:o,beside:s,ticks:i}=t[e];return s?void 0:i??o?.length??0}
function To(e,t,{form:n,speech:r}){let o=e.flatMap(s=>[...s.querySelectorAll("fieldset .option")]);for(let s of n.images)for(let{answer:i}of s.at.filter(a=>a.question===t)){let a=Gt(s,r,"picture");i===void 0?e.splice(e.findIndex(({tagName:c})=>c==="H1")+1,0,a):td(o[i],a,`picture-${i}`)}return e}
function td(e,t,n){let[r,o]=e.children;e.append(Object.assign(t,{id:n})),o.id=`${n}-said`,r.setAttribute("aria-labelledby",o.id),r.setAttribute("aria-describedby",n)}
var nd=e=>(t,n)=>e(t,n).map(r=>{if(r.question===void 0)return r;let o=r.question-(r.beside?1:0);return{...r,screen:he(r.screen,(s,i)=>To(s,o,i))}});
k({name:"pictures",detect:({images:e})=>e!==void 0,validate:Xc,wrap:{illustrate:()=>To,arrangeSteps:nd}});
var td={images:[B({image:_n,alt:$,at:[B({question:[0],"answer?":[0]}),1,j]}),1]};
function nd(e){let t=e.images.flatMap(r=>r.at),n=({question:r,answer:o=-1})=>r<e.questions.length&&o<(rd(r,e)??-1);b(e.images.every(Gn)&&t.every(n),"images"),b(j(t.map(({question:r,answer:o})=>`${r} ${o}`)),"images")}
function rd(e,{questions:t,checklists:n=[]}){let r=n.find(({at:a,items:c})=>e>=a&&e<a+c.length);if(r)return e===r.at?r.items.length:void 0;let{answers:o,beside:s,ticks:i}=t[e];return s?void 0:i??o?.length??0}
function Do(e,t,{form:n,speech:r}){let o=e.flatMap(s=>[...s.querySelectorAll("fieldset .option")]);for(let s of n.images)for(let{answer:i}of s.at.filter(a=>a.question===t)){let a=qt(s,r,"picture");i===void 0?e.splice(e.findIndex(({tagName:c})=>c==="H1")+1,0,a):od(o[i],a,`picture-${i}`)}return e}
function od(e,t,n){let[r,o]=e.children;e.append(Object.assign(t,{id:n})),o.id=`${n}-said`,r.setAttribute("aria-labelledby",o.id),r.setAttribute("aria-describedby",n)}
var sd=e=>(t,n)=>e(t,n).map(r=>{if(r.question===void 0)return r;let o=r.question-(r.beside?1:0);return{...r,screen:Ke(r.screen,(s,i)=>Do(s,o,i))}});
y({name:"pictures",shapes:td,validate:nd,wrap:{illustrate:()=>Do,arrangeSteps:sd}});
