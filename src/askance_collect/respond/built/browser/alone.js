var hi=["about","collector","consent","contact","languages","seal","title","words"];
async function Jr(e,t,n){Z(await V(e)===n,"changed");let r=gi(e),o=r.questions.map(a=>a.name),s=t===null&&o.length===1?0:o.indexOf(t??"");Z(s>=0,"question");let i=r.questions[s];return Z(i.piped===void 0,"piped"),Z(!(r.skips??[]).some(a=>wi(a,s,r)),"rule"),yi({...r,images:bi(r,s)},i)}
function gi(e){try{let t=JSON.parse(e);return Z(U(t)===e&&t.questions.length>0,"form"),t}catch{throw new ye("form")}}
var wi=({question:e,after:t},n,{questions:r})=>e===n&&H(r[t]);
function bi({images:e=[],checklists:t=[]},n){if(t.some(({at:o,items:s})=>n>=o&&n<o+s.length))return[];let r=({at:o})=>o.filter(({question:s})=>s===n).map(s=>({...s,question:0}));return e.map(o=>({...o,at:r(o)})).filter(({at:o})=>o.length>0)}
function yi(e,{beside:t,...n}){let r=e,o=Object.fromEntries(hi.filter(a=>a in e).map(a=>[a,r[a]])),s=x.illustrate&&e.images.length>0?{images:e.images}:{},i={...o,...s,questions:[n],size:Sn([n])};try{return ft(U({...i,askance:"form-1"}))}catch{return ki(i)}}
function ki(e){try{return ft(U({...e,askance:"form-2"}))}catch{throw new ye("form")}}
function Bn({form:e,draft:t,question:n},r,o,s){let i=[Vr(n,r,o),...s?xi(t,n,r,s):Si(t,n,r)];return s&&e.images&&x.illustrate?.(i,0,{form:e,speech:r}),i}
function Zr({form:e,draft:t,question:n},r,o){let{words:s}=r,i=Vr(n,r,o),a=h("","status");a.setAttribute("role","status");let c=Qr(t,n,r,()=>a.replaceChildren(s.preview)),d=[h(s.preview,"for-authors"),i,...c,a];return e.images&&x.illustrate?.(d,0,{form:e,speech:r}),d}
function Xr(e){let t=ge(e,"",()=>null);return t.resume({id:"",draws:e.questions.map(n=>x.placeDraws(n,st(n).map(r=>Math.floor(r/2))))}),t}
function Vr(e,t,n){let r=Me(A(t.text(e.text)));return r.setAttribute("aria-level",n??"2"),r}
function xi(e,t,n,r){return Qr(e,t,n,o=>{e.give(0,o),e.bind(),e.seal(),e.leave(),n.clear(),r()})}
function Qr(e,t,n,r){let{words:o}=n,s=e.draws(0),i=x.resolveQuestion(t,s),a=Ue(i,s,e.answer(0),n,()=>e.trail(0)),c=()=>{let u=$e(a);u&&r(u)},d=H(i)?ce(i,s,n,a.node):x.renderCoin(i,n,a.node)??[h(o.plain,"badge open"),a.node];return[...x.renderHints(i,n),...d,h(o.giveOnce,"hint"),S(b(o.give,c,"main"))]}
function Si(e,t,n){let{words:r}=n,o=h(r.given,"status");if(!e.isBound())return[o];let s=x.resolveQuestion(t,null,e.value(0));return[o,v(r.bind,ht(s,"",e.value(0),n))]}
function Yr(e,t){let n=o=>o.split("-")[0];return t.map(o=>e.find(s=>s===o)??e.find(s=>n(s)===n(o))).find(Boolean)??e[0]}
