var Td={images:[j({image:Yn,alt:E,at:[j({question:[0],"answer?":[0]}),1,B]}),1]};
function Ld(e){let t=e.images.flatMap(r=>r.at),n=({question:r,answer:o=-1})=>r<e.questions.length&&o<(Id(r,e)??-1);w(e.images.every(qn)&&t.every(n),"images"),w(B(t.map(({question:r,answer:o})=>`${r} ${o}`)),"images")}
function Id(e,{questions:t,checklists:n=[]}){let r=n.find(({at:a,items:c})=>e>=a&&e<a+c.length);if(r)return e===r.at?r.items.length:void 0;let{answers:o,beside:s,ticks:i}=t[e];return s?void 0:i??o?.length??0}
function ns(e,t,{form:n,speech:r}){let o=e.flatMap(s=>[...s.querySelectorAll("fieldset .option")]);for(let s of n.images)for(let{answer:i}of s.at.filter(a=>a.question===t)){let a=nn(s,r,"picture");i===void 0?e.splice(e.findIndex(({id:c})=>c===Ht)+1,0,a):$d(o[i],a,`picture-${i}`)}return e}
function $d(e,t,n){let[r,o]=e.children;e.append(Object.assign(t,{id:n})),o.id=`${n}-said`,r.setAttribute("aria-labelledby",o.id),r.setAttribute("aria-describedby",n)}
var Cd=e=>(t,n)=>e(t,n).map(r=>{if(r.question===void 0)return r;let o=r.question-(r.beside?1:0);return{...r,screen:ze(r.screen,(s,i)=>ns(s,o,i))}});
y({name:"pictures",shapes:Td,validate:Ld,wrap:{illustrate:()=>ns,arrangeSteps:Cd}});
