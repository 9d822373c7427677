var Wo=e=>({render:t=>At(t,e)});
function At(e,t,n){let{form:r,draft:o,speech:s,forward:i,back:a}=e,{words:c,text:d}=s,u=o.draws(t),l=x.resolveQuestion(r.questions[t],u),f=n??xe(l,u,o.answer(t),s,()=>o.trail(t)),m=()=>{let L=Re(f);L&&(o.give(t,L),i())},g=()=>qa(e,t)?[h(c.plain,"badge open"),h(c.plainHint,"hint")]:[],k=v(l)?pe(l,u,s,f.node):x.renderCoin(l,s,f.node)??[...g(),f.node];return[We(T(d(l.text))),...x.renderHints(l,s),...k,A(y(c.back,a),y(c.proceed,m,"main"))]}
var Et=({question:e,beside:t},n)=>e!==void 0&&!t&&!n.answer(e)?.skipped;
function qa({form:{questions:e,sections:t=[]},draft:n,steps:r,state:o},s){let i=c=>t.filter(({at:d})=>d<=c).length,a=r.slice(0,o.step).reverse().find(c=>Et(c,n))?.question;return a===void 0||o.returning?!0:$e(e[a])||e[a].coin||i(a)!==i(s)}
