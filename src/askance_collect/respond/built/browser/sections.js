function _s({sections:e,questions:t,languages:n}){p(T(e)&&e.length>0,"sections"),e.forEach((r,o)=>{p(r!==null&&R(r.title,n)&&R(r.text,n),`sections[${o}]`),p(y(r.at,t.length)&&(o===0||r.at>e[o-1].at),`sections[${o}].at`),p(!Object.hasOwn(r,"order")||r.order==="random",`sections[${o}].order`)})}
function Ks(e,{sections:t,questions:n}){if(t===void 0)return e;let r=e.filter(({question:a})=>a!==void 0),o=t.flatMap((a,c)=>{let d=r.filter(({question:l=-1})=>l>=a.at&&!(l>=t[c+1]?.at));return[{over:d.map(({question:l=-1})=>l),screen:Vs(a)},...a.order?Gs(d):d]}),s=dt([...r.filter(({question:a=-1})=>a<t[0].at),...o]),i=s.findIndex(({question:a})=>a!==void 0&&j(n[a]));return i<0?s:[...s.slice(0,i),{screen:He},...s.slice(i)]}
function dt(e){let t=e.filter(({question:n})=>n!==void 0);return e.map(n=>{let r=t.indexOf(n);return r<0?n:{...n,screen:De(n.screen,(o,s)=>zs(o,r,t.length,s))}})}
function Gs(e,t=Ne){let n=[...e];for(let r=n.length-1;r>0;r-=1){let o=rn(r+1,t);[n[r],n[o]]=[n[o],n[r]]}return n}
function zs([e,...t],n,r,{speech:o}){return e.textContent=o.words.step(n+1,r),[e,...t]}
var Vs=e=>({render:t=>Qs(t,e)});
function Qs({speech:e,forward:t,back:n},{title:r,text:o}){let{words:s}=e,i=e.text(o);return[A(e.text(r)),...i?X(i):[],S(b(s.back,n),b(s.proceed,t,"main"))]}
k({name:"sections",detect:({sections:e})=>e!==void 0,validate:_s,wrap:{arrangeSteps:()=>Ks}});
