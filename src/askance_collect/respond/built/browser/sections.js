var el={sections:[{at:[0],title:I,text:I,"order?":"random"},1]};
function tl({sections:e,questions:t}){e.forEach(({at:n},r)=>{b(n<t.length&&(r===0||n>e[r-1].at),`sections[${r}].at`)})}
function nl(e,{sections:t,questions:n}){if(t===void 0)return e;let r=e.filter(({question:a})=>a!==void 0),o=t.flatMap((a,c)=>{let d=r.filter(({question:l=-1})=>l>=a.at&&!(l>=t[c+1]?.at));return[{over:d.map(({question:l=-1})=>l),screen:ol(a)},...a.order?rl(d):d]}),s=[...r.filter(({question:a=-1})=>a<t[0].at),...o],i=s.findIndex(({question:a})=>a!==void 0&&B(n[a]));return i<0?s:[...s.slice(0,i),{screen:ae},...s.slice(i)]}
function rl(e,t=Be){let n=[...e];for(let r=n.length-1;r>0;r-=1){let o=mn(r+1,t);[n[r],n[o]]=[n[o],n[r]]}return n}
var ol=e=>({render:t=>sl(t,e)});
function sl({speech:e,forward:t,back:n},{title:r,text:o}){let{words:s}=e,i=e.text(o);return[O(e.text(r)),...i?G(i):[],S(w(s.back,n),w(s.proceed,t,"main"))]}
y({name:"sections",shapes:el,validate:tl,wrap:{arrangeSteps:()=>nl}});
