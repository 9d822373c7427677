function Qs({sections:e,questions:t,languages:n}){p(A(e)&&e.length>0,"sections"),e.forEach((r,o)=>{p(r!==null&&R(r.title,n)&&R(r.text,n),`sections[${o}]`),p(y(r.at,t.length)&&(o===0||r.at>e[o-1].at),`sections[${o}].at`),p(!Object.hasOwn(r,"order")||r.order==="random",`sections[${o}].order`)})}
function Js(e,{sections:t,questions:n}){if(t===void 0)return e;let r=e.filter(({question:a})=>a!==void 0),o=t.flatMap((a,c)=>{let d=r.filter(({question:l=-1})=>l>=a.at&&!(l>=t[c+1]?.at));return[{over:d.map(({question:l=-1})=>l),screen:Xs(a)},...a.order?Zs(d):d]}),s=lt([...r.filter(({question:a=-1})=>a<t[0].at),...o]),i=s.findIndex(({question:a})=>a!==void 0&&j(n[a]));return i<0?s:[...s.slice(0,i),{screen:se},...s.slice(i)]}
function lt(e){let t=e.filter(({question:n})=>n!==void 0);return e.map(n=>{let r=t.indexOf(n);return r<0?n:{...n,screen:he(n.screen,(o,s)=>Ys(o,r,t.length,s))}})}
function Zs(e,t=ve){let n=[...e];for(let r=n.length-1;r>0;r-=1){let o=on(r+1,t);[n[r],n[o]]=[n[o],n[r]]}return n}
function Ys([e,...t],n,r,{speech:o}){return e.textContent=o.words.step(n+1,r),[e,...t]}
var Xs=e=>({render:t=>qs(t,e)});
function qs({speech:e,forward:t,back:n},{title:r,text:o}){let{words:s}=e,i=e.text(o);return[E(e.text(r)),...i?z(i):[],O(b(s.back,n),b(s.proceed,t,"main"))]}
k({name:"sections",detect:({sections:e})=>e!==void 0,validate:Qs,wrap:{arrangeSteps:()=>Js}});
var di={sections:[{at:[0],title:$,text:$,"order?":"random"},1]};
function li({sections:e,questions:t}){e.forEach(({at:n},r)=>{b(n<t.length&&(r===0||n>e[r-1].at),`sections[${r}].at`)})}
function ui(e,{sections:t,questions:n}){if(t===void 0)return e;let r=e.filter(({question:a})=>a!==void 0),o=t.flatMap((a,c)=>{let d=r.filter(({question:l=-1})=>l>=a.at&&!(l>=t[c+1]?.at));return[{over:d.map(({question:l=-1})=>l),screen:mi(a)},...a.order?fi(d):d]}),s=ht([...r.filter(({question:a=-1})=>a<t[0].at),...o]),i=s.findIndex(({question:a})=>a!==void 0&&v(n[a]));return i<0?s:[...s.slice(0,i),{screen:Me},...s.slice(i)]}
function ht(e){let t=e.filter(({question:n})=>n!==void 0);return e.map(n=>{let r=t.indexOf(n);return r<0?n:{...n,screen:Ke(n.screen,(o,s)=>pi(o,r,t.length,s))}})}
function fi(e,t=je){let n=[...e];for(let r=n.length-1;r>0;r-=1){let o=pn(r+1,t);[n[r],n[o]]=[n[o],n[r]]}return n}
function pi([e,...t],n,r,{speech:o}){return e.textContent=o.words.step(n+1,r),[e,...t]}
var mi=e=>({render:t=>hi(t,e)});
function hi({speech:e,forward:t,back:n},{title:r,text:o}){let{words:s}=e,i=e.text(o);return[O(e.text(r)),...i?Y(i):[],x(w(s.back,n),w(s.proceed,t,"main"))]}
y({name:"sections",shapes:di,validate:li,wrap:{arrangeSteps:()=>ui}});
