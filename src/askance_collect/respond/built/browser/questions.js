var Ro=e=>({render:t=>St(t,e)});
function St(e,t,n){let{form:r,draft:o,speech:s,forward:i,back:a}=e,{words:c,text:d}=s,u=o.draws(t),l=x.resolveQuestion(r.questions[t],u),f=n??be(l,u,o.answer(t),s,()=>o.trail(t)),m=()=>{let N=Re(f);N&&(o.give(t,N),i())},g=()=>Ha(e,t)?[h(c.plain,"badge open"),h(c.plainHint,"hint")]:[],k=B(l)?de(l,u,s,f.node):x.renderCoin(l,s,f.node)??[...g(),f.node];return[We(E(d(l.text))),...x.renderHints(l,s),...k,S(y(c.back,a),y(c.proceed,m,"main"))]}
var Ot=({question:e,beside:t},n)=>e!==void 0&&!t&&!n.answer(e)?.skipped;
function Ha({form:{questions:e,sections:t=[]},draft:n,steps:r,state:o},s){let i=c=>t.filter(({at:d})=>d<=c).length,a=r.slice(0,o.step).reverse().find(c=>Ot(c,n))?.question;return a===void 0||o.returning?!0:Ie(e[a])||e[a].coin||i(a)!==i(s)}
