var di=["about","collector","consent","contact","languages","seal","title","words"];
async function _r(e,t,n){X(await V(e)===n,"changed");let r=li(e),o=r.questions.map(a=>a.name),s=t===null&&o.length===1?0:o.indexOf(t??"");X(s>=0,"question");let i=r.questions[s];return X(i.piped===void 0,"piped"),X(!(r.skips??[]).some(a=>ui(a,s,r)),"rule"),pi({...r,images:fi(r,s)},i)}
function li(e){try{let t=JSON.parse(e);return X(U(t)===e&&t.questions.length>0,"form"),t}catch{throw new ye("form")}}
var ui=({question:e,after:t},n,{questions:r})=>e===n&&B(r[t]);
function fi({images:e=[],checklists:t=[]},n){if(t.some(({at:o,items:s})=>n>=o&&n<o+s.length))return[];let r=({at:o})=>o.filter(({question:s})=>s===n).map(s=>({...s,question:0}));return e.map(o=>({...o,at:r(o)})).filter(({at:o})=>o.length>0)}
function pi(e,{beside:t,...n}){let r=e,o=Object.fromEntries(di.filter(a=>a in e).map(a=>[a,r[a]])),s=x.illustrate&&e.images.length>0?{images:e.images}:{},i={...o,...s,questions:[n],size:kn([n])};try{return lt(U({...i,askance:"form-1"}))}catch{return mi(i)}}
function mi(e){try{return lt(U({...e,askance:"form-2"}))}catch{throw new ye("form")}}
function vn({form:e,draft:t,question:n},r,o,s){let i=[Wr(n,r,o),...s?hi(t,n,r,s):gi(t,n,r)];return s&&e.images&&x.illustrate?.(i,0,{form:e,speech:r}),i}
function Gr({form:e,draft:t,question:n},r,o){let{words:s}=r,i=Wr(n,r,o),a=h("","status");a.setAttribute("role","status");let c=Kr(t,n,r,()=>a.replaceChildren(s.preview)),d=[h(s.preview,"for-authors"),i,...c,a];return e.images&&x.illustrate?.(d,0,{form:e,speech:r}),d}
function zr(e){let t=he(e,"",()=>null);return t.resume({id:"",draws:e.questions.map(n=>x.placeDraws(n,nt(n).map(r=>Math.floor(r/2))))}),t}
function Wr(e,t,n){let r=De(O(t.text(e.text)));return r.setAttribute("aria-level",n??"2"),r}
function hi(e,t,n,r){return Kr(e,t,n,o=>{e.give(0,o),e.bind(),e.seal(),e.leave(),n.clear(),r()})}
function Kr(e,t,n,r){let{words:o}=n,s=e.draws(0),i=x.resolveQuestion(t,s),a=Me(i,s,e.answer(0),n,()=>e.trail(0)),c=()=>{let u=Le(a);u&&r(u)},d=B(i)?ce(i,s,n,a.node):x.renderCoin(i,n,a.node)??[h(o.plain,"badge open"),a.node];return[...x.renderHints(i,n),...d,h(o.giveOnce,"hint"),S(w(o.give,c,"main"))]}
function gi(e,t,n){let{words:r}=n,o=h(r.given,"status");if(!e.isBound())return[o];let s=x.resolveQuestion(t,null,e.value(0));return[o,F(r.bind,mt(s,"",e.value(0),n))]}
function Vr(e,t){let n=o=>o.split("-")[0];return t.map(o=>e.find(s=>s===o)??e.find(s=>n(s)===n(o))).find(Boolean)??e[0]}
