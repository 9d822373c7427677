var Mo=e=>({render:t=>Ot(t,e)});
function Ot(e,t,n){let{form:r,draft:o,speech:s,forward:i,back:a}=e,{words:c,text:d}=s,u=o.draws(t),l=x.resolveQuestion(r.questions[t],u),f=n??ke(l,u,o.answer(t),s,()=>o.trail(t)),p=()=>{let T=Re(f);T&&(o.give(t,T),i())},g=()=>za(e,t)?[h(c.plain,"badge open"),h(c.plainHint,"hint")]:[],k=B(l)?ue(l,u,s,f.node):x.renderCoin(l,s,f.node)??[...g(),f.node];return[We(E(d(l.text))),...x.renderHints(l,s),...k,S(y(c.back,a),y(c.proceed,p,"main"))]}
var At=({question:e,beside:t},n)=>e!==void 0&&!t&&!n.answer(e)?.skipped;
function za({form:{questions:e,sections:t=[]},draft:n,steps:r,state:o},s){let i=c=>t.filter(({at:d})=>d<=c).length,a=r.slice(0,o.step).reverse().find(c=>At(c,n))?.question;return a===void 0||o.returning?!0:Ie(e[a])||e[a].coin||i(a)!==i(s)}
