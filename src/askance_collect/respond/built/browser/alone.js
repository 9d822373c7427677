var ei=["about","collector","consent","contact","languages","seal","title","words"];
async function Br(e,t,n){X(await V(e)===n,"changed");let r=ti(e),o=r.questions.map(a=>a.name),s=t===null&&o.length===1?0:o.indexOf(t??"");X(s>=0,"question");let i=r.questions[s];return X(i.piped===void 0,"piped"),X(!(r.skips??[]).some(a=>ni(a,s,r)),"rule"),oi({...r,images:ri(r,s)},i)}
function ti(e){try{let t=JSON.parse(e);return X(F(t)===e&&t.questions.length>0,"form"),t}catch{throw new be("form")}}
var ni=({question:e,after:t},n,{questions:r})=>e===n&&B(r[t]);
function ri({images:e=[],checklists:t=[]},n){if(t.some(({at:o,items:s})=>n>=o&&n<o+s.length))return[];let r=({at:o})=>o.filter(({question:s})=>s===n).map(s=>({...s,question:0}));return e.map(o=>({...o,at:r(o)})).filter(({at:o})=>o.length>0)}
function oi(e,{beside:t,...n}){let r=e,o=Object.fromEntries(ei.filter(a=>a in e).map(a=>[a,r[a]])),s=x.illustrate&&e.images.length>0?{images:e.images}:{},i={...o,...s,questions:[n],size:yn([n])};try{return dt(F({...i,askance:"form-1"}))}catch{return si(i)}}
function si(e){try{return dt(F({...e,askance:"form-2"}))}catch{throw new be("form")}}
function In({form:e,draft:t,question:n},r,o,s){let i=[jr(n,r,o),...s?ii(t,n,r,s):ai(t,n,r)];return s&&e.images&&x.illustrate?.(i,0,{form:e,speech:r}),i}
function Hr({form:e,draft:t,question:n},r,o){let{words:s}=r,i=jr(n,r,o),a=m("","status");a.setAttribute("role","status");let c=vr(t,n,r,()=>a.replaceChildren(s.preview)),d=[m(s.preview,"for-authors"),i,...c,a];return e.images&&x.illustrate?.(d,0,{form:e,speech:r}),d}
function Pr(e){let t=pe(e,"",()=>null);return t.resume({id:"",draws:e.questions.map(n=>x.placeDraws(n,tt(n).map(r=>Math.floor(r/2))))}),t}
function jr(e,t,n){let r=O(t.text(e.text));return r.setAttribute("aria-level",n??"2"),r}
function ii(e,t,n,r){return vr(e,t,n,o=>{e.give(0,o),e.bind(),e.seal(),e.leave(),n.clear(),r()})}
function vr(e,t,n,r){let{words:o}=n,s=e.draws(0),i=x.resolveQuestion(t,s),a=De(i,s,e.answer(0),n,()=>e.trail(0)),c=()=>{let u=mt(a);u&&r(u)},d=B(i)?ae(i,s,n,a.node):x.renderCoin(i,n,a.node)??[m(o.plain,"badge open"),a.node];return[...x.renderHints(i,n),...d,m(o.giveOnce,"hint"),S(w(o.give,c,"main"))]}
function ai(e,t,n){let{words:r}=n,o=m(r.given,"status");if(!e.isBound())return[o];let s=x.resolveQuestion(t,null,e.value(0));return[o,D(r.bind,pt(s,"",e.value(0),n))]}
function Dr(e,t){let n=o=>o.split("-")[0];return t.map(o=>e.find(s=>s===o)??e.find(s=>n(s)===n(o))).find(Boolean)??e[0]}
