var zo=e=>({render:t=>or(t,e)});
function or(e,t){let{form:n,draft:r,speech:o,forward:s,back:i}=e,{words:a,text:c}=o,d=r.draws(t),u=x.resolveQuestion(n.questions[t],d),l=Ue(u,d,r.answer(t),o,()=>r.trail(t)),f=()=>{let k=$e(l);k&&(r.give(t,k),s())},p=()=>pc(e,t)?[h(a.plain,"badge open"),h(a.plainHint,"hint")]:[],g=H(u)?ce(u,d,o,l.node):x.renderCoin(u,o,l.node)??[...p(),l.node];return[Me(A(c(u.text))),...x.renderHints(u,o),...g,S(b(a.back,i),b(a.proceed,f,"main"))]}
var Ot=({question:e,beside:t},n)=>e!==void 0&&!t&&!n.answer(e)?.skipped;
function pc({form:{questions:e,sections:t=[]},draft:n,steps:r,state:o},s){let i=c=>t.filter(({at:d})=>d<=c).length,a=r.slice(0,o.step).reverse().find(c=>Ot(c,n))?.question;return a===void 0||o.returning?!0:Te(e[a])||e[a].coin||i(a)!==i(s)}
