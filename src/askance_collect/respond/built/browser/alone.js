var Ls=["about","collector","consent","contact","languages","seal","title","words"];
async function kr(e,t,n){Z(await V(e)===n,"changed");let r=Is(e),o=r.questions.map(a=>a.name),s=t===null&&o.length===1?0:o.indexOf(t??"");Z(s>=0,"question");let i=r.questions[s];return Z(i.piped===void 0,"piped"),Z(!(r.skips??[]).some(a=>Ns(a,s,r)),"rule"),vs({...r,images:Cs(r,s)},i)}
function Is(e){try{let t=JSON.parse(e);return Z(F(t)===e&&t.questions.length>0,"form"),t}catch{throw new fe("form")}}
var Ns=({question:e,after:t},n,{questions:r})=>e===n&&j(r[t]);
function Cs({images:e=[],checklists:t=[]},n){if(t.some(({at:o,items:s})=>n>=o&&n<o+s.length))return[];let r=({at:o})=>o.filter(({question:s})=>s===n).map(s=>({...s,question:0}));return e.map(o=>({...o,at:r(o)})).filter(({at:o})=>o.length>0)}
function vs(e,{beside:t,...n}){let r=e,o=Object.fromEntries(Ls.filter(a=>a in e).map(a=>[a,r[a]])),s=x.illustrate&&e.images.length>0?{images:e.images}:{},i={...o,...s,questions:[n],size:dn([n])};try{return ot(F({...i,askance:"form-1"}))}catch{return Rs(i)}}
function Rs(e){try{return ot(F({...e,askance:"form-2"}))}catch{throw new fe("form")}}
function gn({form:e,draft:t,question:n},r,o,s){let i=[br(n,r,o),...s?js(t,n,r,s):Bs(t,n,r)];return s&&e.images&&x.illustrate?.(i,0,{form:e,speech:r}),i}
function xr({form:e,draft:t,question:n},r,o){let{words:s}=r,i=br(n,r,o),a=h("","status");a.setAttribute("role","status");let c=yr(t,n,r,()=>a.replaceChildren(s.preview)),d=[h(s.preview,"for-authors"),i,...c,a];return e.images&&x.illustrate?.(d,0,{form:e,speech:r}),d}
function Sr(e){let t=ce(e,"",()=>null);return t.resume({id:"",draws:e.questions.map(n=>x.placeDraws(n,Je(n).map(r=>Math.floor(r/2))))}),t}
function br(e,t,n){let r=A(t.text(e.text));return r.setAttribute("aria-level",n??"2"),r}
function js(e,t,n,r){return yr(e,t,n,o=>{e.give(0,o),e.bind(),e.seal(),e.leave(),n.clear(),r()})}
function yr(e,t,n,r){let{words:o}=n,s=e.draws(0),i=x.resolveQuestion(t,s),a=Re(i,s,e.answer(0),n,()=>e.trail(0)),c=()=>{let u=at(a);u&&r(u)},d=j(i)?Se(i,s,n,a.node):x.renderCoin(i,n,a.node)??[h(o.plain,"badge open"),a.node];return[...x.renderHints(i,n),...d,h(o.giveOnce,"hint"),S(b(o.give,c,"main"))]}
function Bs(e,t,n){let{words:r}=n,o=h(r.given,"status");if(!e.isBound())return[o];let s=x.resolveQuestion(t,null,e.value(0));return[o,U(r.bind,it(s,"",e.value(0),n))]}
function Or(e,t){let n=o=>o.split("-")[0];return t.map(o=>e.find(s=>s===o)??e.find(s=>n(s)===n(o))).find(Boolean)??e[0]}
