var Li=["about","collector","consent","contact","languages","seal","title","words"];
async function oo(e,t,n){Y(await J(e)===n,"changed");let r=Ii(e),o=r.questions.map(a=>a.name),s=t===null&&o.length===1?0:o.indexOf(t??"");Y(s>=0,"question");let i=r.questions[s];return Y(i.piped===void 0,"piped"),Y(!(r.skips??[]).some(a=>$i(a,s,r)),"rule"),Ri({...r,images:Ci(r,s)},i)}
function Ii(e){try{let t=JSON.parse(e);return Y(U(t)===e&&t.questions.length>0,"form"),t}catch{throw new Se("form")}}
var $i=({question:e,after:t},n,{questions:r})=>e===n&&B(r[t]);
function Ci({images:e=[],checklists:t=[]},n){if(t.some(({at:o,items:s})=>n>=o&&n<o+s.length))return[];let r=({at:o})=>o.filter(({question:s})=>s===n).map(s=>({...s,question:0}));return e.map(o=>({...o,at:r(o)})).filter(({at:o})=>o.length>0)}
function Ri(e,{beside:t,...n}){let r=e,o=Object.fromEntries(Li.filter(c=>c in e).map(c=>[c,r[c]])),s=x.illustrate&&e.images.length>0?{images:e.images}:{},i={...n,kind:n.kind==="sealed"?"text":n.kind},a={...o,...s,questions:[i],size:Tn([i])};try{return pt(U({...a,askance:"form-1"}))}catch{return ji(a)}}
function ji(e){try{return pt(U({...e,askance:"form-2"}))}catch{throw new Se("form")}}
function Dn({form:e,draft:t,question:n},r,o,s){let i=[no(n,r,o),...s?vi(t,n,r,s):Bi(t,n,r)];return s&&e.images&&x.illustrate?.(i,0,{form:e,speech:r}),i}
function so({form:e,draft:t,question:n},r,o){let{words:s}=r,i=no(n,r,o),a=h("","status");a.setAttribute("role","status");let c=ro(t,n,r,()=>a.replaceChildren(s.preview)),d=[h(s.preview,"for-authors"),i,...c,a];return e.images&&x.illustrate?.(d,0,{form:e,speech:r}),d}
function io(e){let t=ye(e,"",()=>null);return t.resume({id:"",draws:e.questions.map(n=>x.placeDraws(n,it(n).map(r=>Math.floor(r/2))))}),t}
function no(e,t,n){let r=We(E(t.text(e.text)));return r.setAttribute("aria-level",n??"2"),r}
function vi(e,t,n,r){return ro(e,t,n,o=>{e.give(0,o),e.bind(),e.seal(),e.leave(),n.clear(),r()})}
function ro(e,t,n,r){let{words:o}=n,s=e.draws(0),i=x.resolveQuestion(t,s),a=ke(i,s,e.answer(0),n,()=>e.trail(0)),c=()=>{let u=Re(a);u&&r(u)},d=B(i)?ue(i,s,n,a.node):x.renderCoin(i,n,a.node)??[h(o.plain,"badge open"),a.node];return[...x.renderHints(i,n),...d,h(o.giveOnce,"hint"),S(y(o.give,c,"main"))]}
function Bi(e,t,n){let{words:r}=n,o=h(r.given,"status");if(!e.isBound())return[o];let s=x.resolveQuestion(t,null,e.value(0));return[o,j(r.bind,gt(s,"",e.value(0),n))]}
function ao(e,t){let n=o=>o.split("-")[0];return t.map(o=>e.find(s=>s===o)??e.find(s=>n(s)===n(o))).find(Boolean)??e[0]}
