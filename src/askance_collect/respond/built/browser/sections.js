var Xl={sections:[{at:[0],title:O,text:O,"order?":"random"},1]};
function Yl({sections:e,questions:t}){e.forEach(({at:n},r)=>{w(n<t.length&&(r===0||n>e[r-1].at),`sections[${r}].at`)})}
function ql(e,{sections:t,questions:n}){if(t===void 0)return e;let r=e.filter(({question:a})=>a!==void 0),o=t.flatMap((a,c)=>{let d=r.filter(({question:u=-1})=>u>=a.at&&!(u>=t[c+1]?.at));return eu(a.order?nu(d):d,a)}),s=[...r.filter(({question:a=-1})=>a<t[0].at),...o],i=s.findIndex(({question:a})=>a!==void 0&&v(n[a]));return i<0?s:[...s.slice(0,i),{screen:q},...s.slice(i)]}
var eu=(e,t)=>e.map((n,r)=>({...n,screen:Je(n.screen,(o,s)=>e.slice(0,r).some(i=>Et(i,s.draft))?o:[...tu(s,t),...o])}));
function tu({speech:e},{title:t,text:n}){let r=e.text(n);return[p("h2",{className:"section",tabIndex:-1},e.text(t)),...r?K(r):[]]}
function nu(e,t=Me){let n=[...e];for(let r=n.length-1;r>0;r-=1){let o=On(r+1,t);[n[r],n[o]]=[n[o],n[r]]}return n}
b({name:"sections",shapes:Xl,validate:Yl,wrap:{arrangeSteps:()=>ql}});
