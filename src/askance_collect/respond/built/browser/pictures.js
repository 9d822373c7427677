var dl={images:[R({image:ir,alt:O,at:[R({question:[0],"answer?":[0]}),1,P]}),1]};
function ll(e){let t=e.images.flatMap(r=>r.at),n=({question:r,answer:o=-1})=>r<e.questions.length&&o<(ul(r,e)??-1);w(e.images.every(ar)&&t.every(n),"images"),w(P(t.map(({question:r,answer:o})=>`${r} ${o}`)),"images")}
function ul(e,{questions:t,checklists:n=[]}){let r=n.find(({at:a,items:c})=>e>=a&&e<a+c.length);if(r)return e===r.at?r.items.length:void 0;let{answers:o,beside:s,ticks:i}=t[e];return s?void 0:i??o?.length??0}
function bs(e,t,{form:n,speech:r}){let o=e.flatMap(s=>[...s.querySelectorAll("fieldset .option")]);for(let s of n.images)for(let{answer:i}of s.at.filter(a=>a.question===t)){let a=ln(s,r,"picture");i===void 0?e.splice(e.findIndex(({id:c})=>c===Mt)+1,0,a):fl(o[i],a,`picture-${i}`)}return e}
function fl(e,t,n){let[r,o]=e.children;e.append(Object.assign(t,{id:n})),o.id=`${n}-said`,r.setAttribute("aria-labelledby",o.id),r.setAttribute("aria-describedby",n)}
var pl=e=>(t,n)=>e(t,n).map(r=>{if(r.question===void 0)return r;let o=r.question-(r.beside?1:0);return{...r,screen:Je(r.screen,(s,i)=>bs(s,o,i))}});
b({name:"pictures",shapes:dl,validate:ll,wrap:{illustrate:()=>bs,arrangeSteps:pl}});
