var ol={sections:[{at:[0],title:I,text:I,"order?":"random"},1]};
function sl({sections:e,questions:t}){e.forEach(({at:n},r)=>{w(n<t.length&&(r===0||n>e[r-1].at),`sections[${r}].at`)})}
function il(e,{sections:t,questions:n}){if(t===void 0)return e;let r=e.filter(({question:a})=>a!==void 0),o=t.flatMap((a,c)=>{let d=r.filter(({question:u=-1})=>u>=a.at&&!(u>=t[c+1]?.at));return al(a.order?dl(d):d,a)}),s=[...r.filter(({question:a=-1})=>a<t[0].at),...o],i=s.findIndex(({question:a})=>a!==void 0&&H(n[a]));return i<0?s:[...s.slice(0,i),{screen:ae},...s.slice(i)]}
var al=(e,t)=>e.map((n,r)=>({...n,screen:Ge(n.screen,(o,s)=>e.slice(0,r).some(i=>Ot(i,s.draft))?o:[...cl(s,t),...o])}));
function cl({speech:e},{title:t,text:n}){let r=e.text(n);return[p("h2",{className:"section",tabIndex:-1},e.text(t)),...r?G(r):[]]}
function dl(e,t=He){let n=[...e];for(let r=n.length-1;r>0;r-=1){let o=gn(r+1,t);[n[r],n[o]]=[n[o],n[r]]}return n}
k({name:"sections",shapes:ol,validate:sl,wrap:{arrangeSteps:()=>il}});
var nl={sections:[{at:[0],title:N,text:N,"order?":"random"},1]};
function rl({sections:e,questions:t}){e.forEach(({at:n},r)=>{b(n<t.length&&(r===0||n>e[r-1].at),`sections[${r}].at`)})}
function ol(e,{sections:t,questions:n}){if(t===void 0)return e;let r=e.filter(({question:a})=>a!==void 0),o=t.flatMap((a,c)=>{let d=r.filter(({question:l=-1})=>l>=a.at&&!(l>=t[c+1]?.at));return[{over:d.map(({question:l=-1})=>l),screen:il(a)},...a.order?sl(d):d]}),s=[...r.filter(({question:a=-1})=>a<t[0].at),...o],i=s.findIndex(({question:a})=>a!==void 0&&B(n[a]));return i<0?s:[...s.slice(0,i),{screen:ae},...s.slice(i)]}
function sl(e,t=Be){let n=[...e];for(let r=n.length-1;r>0;r-=1){let o=mn(r+1,t);[n[r],n[o]]=[n[o],n[r]]}return n}
var il=e=>({render:t=>al(t,e)});
function al({speech:e,forward:t,back:n},{title:r,text:o}){let{words:s}=e,i=e.text(o);return[O(e.text(r)),...i?G(i):[],S(w(s.back,n),w(s.proceed,t,"main"))]}
y({name:"sections",shapes:nl,validate:rl,wrap:{arrangeSteps:()=>ol}});
