var ll={sections:[{at:[0],title:E,text:E,"order?":"random"},1]};
function ul({sections:e,questions:t}){e.forEach(({at:n},r)=>{w(n<t.length&&(r===0||n>e[r-1].at),`sections[${r}].at`)})}
function fl(e,{sections:t,questions:n}){if(t===void 0)return e;let r=e.filter(({question:a})=>a!==void 0),o=t.flatMap((a,c)=>{let d=r.filter(({question:u=-1})=>u>=a.at&&!(u>=t[c+1]?.at));return pl(a.order?hl(d):d,a)}),s=[...r.filter(({question:a=-1})=>a<t[0].at),...o],i=s.findIndex(({question:a})=>a!==void 0&&H(n[a]));return i<0?s:[...s.slice(0,i),{screen:X},...s.slice(i)]}
var pl=(e,t)=>e.map((n,r)=>({...n,screen:ze(n.screen,(o,s)=>e.slice(0,r).some(i=>Ot(i,s.draft))?o:[...ml(s,t),...o])}));
function ml({speech:e},{title:t,text:n}){let r=e.text(n);return[m("h2",{className:"section",tabIndex:-1},e.text(t)),...r?G(r):[]]}
function hl(e,t=Pe){let n=[...e];for(let r=n.length-1;r>0;r-=1){let o=gn(r+1,t);[n[r],n[o]]=[n[o],n[r]]}return n}
y({name:"sections",shapes:ll,validate:ul,wrap:{arrangeSteps:()=>fl}});
