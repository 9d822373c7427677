var Ci=["about","collector","consent","contact","languages","seal","title","words"];
async function io(e,t,n){Y(await J(e)===n,"changed");let r=Ri(e),o=r.questions.map(a=>a.name),s=t===null&&o.length===1?0:o.indexOf(t??"");Y(s>=0,"question");let i=r.questions[s];return Y(i.piped===void 0,"piped"),Y(!(r.skips??[]).some(a=>ji(a,s,r)),"rule"),Bi({...r,images:vi(r,s)},i)}
function Ri(e){try{let t=JSON.parse(e);return Y(U(t)===e&&t.questions.length>0,"form"),t}catch{throw new Oe("form")}}
var ji=({question:e,after:t},n,{questions:r})=>e===n&&j(r[t]);
function vi({images:e=[],checklists:t=[]},n){if(t.some(({at:o,items:s})=>n>=o&&n<o+s.length))return[];let r=({at:o})=>o.filter(({question:s})=>s===n).map(s=>({...s,question:0}));return e.map(o=>({...o,at:r(o)})).filter(({at:o})=>o.length>0)}
function Bi(e,{beside:t,...n}){let r=e,o=Object.fromEntries(Ci.filter(c=>c in e).map(c=>[c,r[c]])),s=x.illustrate&&e.images.length>0?{images:e.images}:{},i={...n,kind:n.kind==="sealed"?"text":n.kind},a={...o,...s,questions:[i],size:Ln([i])};try{return mt(U({...a,askance:"form-1"}))}catch{return Hi(a)}}
function Hi(e){try{return mt(U({...e,askance:"form-2"}))}catch{throw new Oe("form")}}
function Un({form:e,draft:t,question:n},r,o,s){let i=[oo(n,r,o),...s?Pi(t,n,r,s):Fi(t,n,r)];return s&&e.images&&x.illustrate?.(i,0,{form:e,speech:r}),i}
function ao({form:e,draft:t,question:n},r,o){let{words:s}=r,i=oo(n,r,o),a=h("","status");a.setAttribute("role","status");let c=so(t,n,r,()=>a.replaceChildren(s.preview)),d=[h(s.preview,"for-authors"),i,...c,a];return e.images&&x.illustrate?.(d,0,{form:e,speech:r}),d}
function co(e){let t=ke(e,"",()=>null);return t.resume({id:"",draws:e.questions.map(n=>x.placeDraws(n,ct(n).map(r=>Math.floor(r/2))))}),t}
function oo(e,t,n){let r=_e(N(t.text(e.text)));return r.setAttribute("aria-level",n??"2"),r}
function Pi(e,t,n,r){return so(e,t,n,o=>{e.give(0,o),e.bind(),e.seal(),e.leave(),n.clear(),r()})}
function so(e,t,n,r){let{words:o}=n,s=e.draws(0),i=x.resolveQuestion(t,s),a=xe(i,s,e.answer(0),n,()=>e.trail(0)),c=()=>{let u=je(a);u&&r(u)},d=j(i)?fe(i,s,n,a.node):x.renderCoin(i,n,a.node)??[h(o.plain,"badge open"),a.node];return[...x.renderHints(i,n),...d,h(o.giveOnce,"hint"),S(y(o.give,c,"main"))]}
function Fi(e,t,n){let{words:r}=n,o=h(r.given,"status");if(!e.isBound())return[o];let s=x.resolveQuestion(t,null,e.value(0));return[o,v(r.bind,wt(s,"",e.value(0),n))]}
function lo(e,t){let n=o=>o.split("-")[0];return t.map(o=>e.find(s=>s===o)??e.find(s=>n(s)===n(o))).find(Boolean)??e[0]}
