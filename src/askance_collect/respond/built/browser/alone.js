var Ri=["about","collector","consent","contact","languages","seal","title","words"];
async function oo(e,t,n){Y(await J(e)===n,"changed");let r=ji(e),o=r.questions.map(a=>a.name),s=t===null&&o.length===1?0:o.indexOf(t??"");Y(s>=0,"question");let i=r.questions[s];return Y(i.piped===void 0,"piped"),Y(!(r.skips??[]).some(a=>vi(a,s,r)),"rule"),Hi({...r,images:Bi(r,s)},i)}
function ji(e){try{let t=JSON.parse(e);return Y(U(t)===e&&t.questions.length>0,"form"),t}catch{throw new Oe("form")}}
var vi=({question:e,after:t},n,{questions:r})=>e===n&&v(r[t]);
function Bi({images:e=[],checklists:t=[]},n){if(t.some(({at:o,items:s})=>n>=o&&n<o+s.length))return[];let r=({at:o})=>o.filter(({question:s})=>s===n).map(s=>({...s,question:0}));return e.map(o=>({...o,at:r(o)})).filter(({at:o})=>o.length>0)}
function Hi(e,{beside:t,...n}){let r=e,o=Object.fromEntries(Ri.filter(c=>c in e).map(c=>[c,r[c]])),s=x.illustrate&&e.images.length>0?{images:e.images}:{},i={...n,kind:n.kind==="sealed"?"text":n.kind},a={...o,...s,questions:[i],size:$n([i])};try{return mt(U({...a,askance:"form-1"}))}catch{return Pi(a)}}
function Pi(e){try{return mt(U({...e,askance:"form-2"}))}catch{throw new Oe("form")}}
function _n({form:e,draft:t,question:n},r,o,s){let i=[no(n,r,o),...s?Fi(t,n,r,s):Mi(t,n,r)];return s&&e.images&&x.illustrate?.(i,0,{form:e,speech:r}),i}
function so({form:e,draft:t,question:n},r,o){let{words:s}=r,i=no(n,r,o),a=h("","status");a.setAttribute("role","status");let c=ro(t,n,r,()=>a.replaceChildren(s.preview)),d=[h(s.preview,"for-authors"),i,...c,a];return e.images&&x.illustrate?.(d,0,{form:e,speech:r}),d}
function io(e){let t=ke(e,"",()=>null);return t.resume({id:"",draws:e.questions.map(n=>x.placeDraws(n,ct(n).map(r=>Math.floor(r/2))))}),t}
function no(e,t,n){let r=We(T(t.text(e.text)));return r.setAttribute("aria-level",n??"2"),r}
function Fi(e,t,n,r){return ro(e,t,n,o=>{e.give(0,o),e.bind(),e.seal(),e.leave(),n.clear(),r()})}
function ro(e,t,n,r){let{words:o}=n,s=e.draws(0),i=x.resolveQuestion(t,s),a=xe(i,s,e.answer(0),n,()=>e.trail(0)),c=()=>{let u=Re(a);u&&r(u)},d=v(i)?pe(i,s,n,a.node):x.renderCoin(i,n,a.node)??[h(o.plain,"badge open"),a.node];return[...x.renderHints(i,n),...d,h(o.giveOnce,"hint"),A(y(o.give,c,"main"))]}
function Mi(e,t,n){let{words:r}=n,o=h(r.given,"status");if(!e.isBound())return[o];let s=x.resolveQuestion(t,null,e.value(0));return[o,B(r.bind,wt(s,"",e.value(0),n))]}
function ao(e,t){let n=o=>o.split("-")[0];return t.map(o=>e.find(s=>s===o)??e.find(s=>n(s)===n(o))).find(Boolean)??e[0]}
