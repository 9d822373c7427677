var yl={sections:[{at:[0],title:A,text:A,"order?":"random"},1]};
function kl({sections:e,questions:t}){e.forEach(({at:n},r)=>{w(n<t.length&&(r===0||n>e[r-1].at),`sections[${r}].at`)})}
function xl(e,{sections:t,questions:n}){if(t===void 0)return e;let r=e.filter(({question:a})=>a!==void 0),o=t.flatMap((a,c)=>{let d=r.filter(({question:u=-1})=>u>=a.at&&!(u>=t[c+1]?.at));return Sl(a.order?Al(d):d,a)}),s=[...r.filter(({question:a=-1})=>a<t[0].at),...o],i=s.findIndex(({question:a})=>a!==void 0&&B(n[a]));return i<0?s:[...s.slice(0,i),{screen:q},...s.slice(i)]}
var Sl=(e,t)=>e.map((n,r)=>({...n,screen:Ve(n.screen,(o,s)=>e.slice(0,r).some(i=>Ot(i,s.draft))?o:[...Ol(s,t),...o])}));
function Ol({speech:e},{title:t,text:n}){let r=e.text(n);return[p("h2",{className:"section",tabIndex:-1},e.text(t)),...r?z(r):[]]}
function Al(e,t=De){let n=[...e];for(let r=n.length-1;r>0;r-=1){let o=yn(r+1,t);[n[r],n[o]]=[n[o],n[r]]}return n}
b({name:"sections",shapes:yl,validate:kl,wrap:{arrangeSteps:()=>xl}});
