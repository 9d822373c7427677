var As=["about","collector","consent","contact","languages","seal","title","words"];
async function gr(e,t,n){J(await V(e)===n,"changed");let r=Es(e),o=r.questions.map(a=>a.name),s=t===null&&o.length===1?0:o.indexOf(t??"");J(s>=0,"question");let i=r.questions[s];return J(i.piped===void 0,"piped"),J(!(r.skips??[]).some(a=>Ts(a,s,r)),"rule"),Ls({...r,images:$s(r,s)},i)}
function Es(e){try{let t=JSON.parse(e);return J(F(t)===e&&t.questions.length>0,"form"),t}catch{throw new fe("form")}}
var Ts=({question:e,after:t},n,{questions:r})=>e===n&&j(r[t]);
function $s({images:e=[],checklists:t=[]},n){if(t.some(({at:o,items:s})=>n>=o&&n<o+s.length))return[];let r=({at:o})=>o.filter(({question:s})=>s===n).map(s=>({...s,question:0}));return e.map(o=>({...o,at:r(o)})).filter(({at:o})=>o.length>0)}
function Ls(e,{beside:t,...n}){let r=e,o=Object.fromEntries(As.filter(a=>a in e).map(a=>[a,r[a]])),s=x.illustrate&&e.images.length>0?{images:e.images}:{},i={...o,...s,questions:[n],size:an([n])};try{return nt(F({...i,askance:"form-1"}))}catch{return Is(i)}}
function Is(e){try{return nt(F({...e,askance:"form-2"}))}catch{throw new fe("form")}}
function mn({form:e,draft:t,question:n},r,o,s){let i=[mr(n,r,o),...s?Ns(t,n,r,s):Cs(t,n,r)];return s&&e.images&&x.illustrate?.(i,0,{form:e,speech:r}),i}
function wr({form:e,draft:t,question:n},r,o){let{words:s}=r,i=mr(n,r,o),a=h("","status");a.setAttribute("role","status");let c=hr(t,n,r,()=>a.replaceChildren(s.preview)),d=[h(s.preview,"for-authors"),i,...c,a];return e.images&&x.illustrate?.(d,0,{form:e,speech:r}),d}
function br(e){let t=ce(e,"",()=>null);return t.resume({id:"",draws:e.questions.map(n=>x.placeDraws(n,Ve(n).map(r=>Math.floor(r/2))))}),t}
function mr(e,t,n){let r=A(t.text(e.text));return r.setAttribute("aria-level",n??"2"),r}
function Ns(e,t,n,r){return hr(e,t,n,o=>{e.give(0,o),e.bind(),e.seal(),e.leave(),n.clear(),r()})}
function hr(e,t,n,r){let{words:o}=n,s=e.draws(0),i=x.resolveQuestion(t,s),a=ve(i,s,e.answer(0),n,()=>e.trail(0)),c=()=>{let u=st(a);u&&r(u)},d=j(i)?xe(i,s,n,a.node):x.renderCoin(i,n,a.node)??[h(o.plain,"badge open"),a.node];return[...x.renderHints(i,n),...d,h(o.giveOnce,"hint"),S(b(o.give,c,"main"))]}
function Cs(e,t,n){let{words:r}=n,o=h(r.given,"status");if(!e.isBound())return[o];let s=x.resolveQuestion(t,null,e.value(0));return[o,U(r.bind,ot(s,"",e.value(0),n))]}
function yr(e,t){let n=o=>o.split("-")[0];return t.map(o=>e.find(s=>s===o)??e.find(s=>n(s)===n(o))).find(Boolean)??e[0]}
