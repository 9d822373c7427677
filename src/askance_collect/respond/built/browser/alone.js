var wi=["about","collector","consent","contact","languages","seal","title","words"];
async function Xr(e,t,n){Y(await J(e)===n,"changed");let r=bi(e),o=r.questions.map(a=>a.name),s=t===null&&o.length===1?0:o.indexOf(t??"");Y(s>=0,"question");let i=r.questions[s];return Y(i.piped===void 0,"piped"),Y(!(r.skips??[]).some(a=>yi(a,s,r)),"rule"),xi({...r,images:ki(r,s)},i)}
function bi(e){try{let t=JSON.parse(e);return Y(U(t)===e&&t.questions.length>0,"form"),t}catch{throw new xe("form")}}
var yi=({question:e,after:t},n,{questions:r})=>e===n&&B(r[t]);
function ki({images:e=[],checklists:t=[]},n){if(t.some(({at:o,items:s})=>n>=o&&n<o+s.length))return[];let r=({at:o})=>o.filter(({question:s})=>s===n).map(s=>({...s,question:0}));return e.map(o=>({...o,at:r(o)})).filter(({at:o})=>o.length>0)}
function xi(e,{beside:t,...n}){let r=e,o=Object.fromEntries(wi.filter(a=>a in e).map(a=>[a,r[a]])),s=x.illustrate&&e.images.length>0?{images:e.images}:{},i={...o,...s,questions:[n],size:En([n])};try{return ft(U({...i,askance:"form-1"}))}catch{return Si(i)}}
function Si(e){try{return ft(U({...e,askance:"form-2"}))}catch{throw new xe("form")}}
function Fn({form:e,draft:t,question:n},r,o,s){let i=[Jr(n,r,o),...s?Oi(t,n,r,s):Ai(t,n,r)];return s&&e.images&&x.illustrate?.(i,0,{form:e,speech:r}),i}
function Yr({form:e,draft:t,question:n},r,o){let{words:s}=r,i=Jr(n,r,o),a=h("","status");a.setAttribute("role","status");let c=Zr(t,n,r,()=>a.replaceChildren(s.preview)),d=[h(s.preview,"for-authors"),i,...c,a];return e.images&&x.illustrate?.(d,0,{form:e,speech:r}),d}
function qr(e){let t=we(e,"",()=>null);return t.resume({id:"",draws:e.questions.map(n=>x.placeDraws(n,st(n).map(r=>Math.floor(r/2))))}),t}
function Jr(e,t,n){let r=We(E(t.text(e.text)));return r.setAttribute("aria-level",n??"2"),r}
function Oi(e,t,n,r){return Zr(e,t,n,o=>{e.give(0,o),e.bind(),e.seal(),e.leave(),n.clear(),r()})}
function Zr(e,t,n,r){let{words:o}=n,s=e.draws(0),i=x.resolveQuestion(t,s),a=be(i,s,e.answer(0),n,()=>e.trail(0)),c=()=>{let u=Re(a);u&&r(u)},d=B(i)?de(i,s,n,a.node):x.renderCoin(i,n,a.node)??[h(o.plain,"badge open"),a.node];return[...x.renderHints(i,n),...d,h(o.giveOnce,"hint"),S(y(o.give,c,"main"))]}
function Ai(e,t,n){let{words:r}=n,o=h(r.given,"status");if(!e.isBound())return[o];let s=x.resolveQuestion(t,null,e.value(0));return[o,v(r.bind,ht(s,"",e.value(0),n))]}
function eo(e,t){let n=o=>o.split("-")[0];return t.map(o=>e.find(s=>s===o)??e.find(s=>n(s)===n(o))).find(Boolean)??e[0]}
