var Rs=["about","collector","consent","contact","languages","seal","title","words"];
async function xr(e,t,n){Y(await Q(e)===n,"changed");let r=js(e),o=r.questions.map(a=>a.name),s=t===null&&o.length===1?0:o.indexOf(t??"");Y(s>=0,"question");let i=r.questions[s];return Y(i.piped===void 0,"piped"),Y(!(r.skips??[]).some(a=>Bs(a,s,r)),"rule"),Ps({...r,images:Hs(r,s)},i)}
function js(e){try{let t=JSON.parse(e);return Y(F(t)===e&&t.questions.length>0,"form"),t}catch{throw new me("form")}}
var Bs=({question:e,after:t},n,{questions:r})=>e===n&&j(r[t]);
function Hs({images:e=[],checklists:t=[]},n){if(t.some(({at:o,items:s})=>n>=o&&n<o+s.length))return[];let r=({at:o})=>o.filter(({question:s})=>s===n).map(s=>({...s,question:0}));return e.map(o=>({...o,at:r(o)})).filter(({at:o})=>o.length>0)}
function Ps(e,{beside:t,...n}){let r=e,o=Object.fromEntries(Rs.filter(a=>a in e).map(a=>[a,r[a]])),s=x.illustrate&&e.images.length>0?{images:e.images}:{},i={...o,...s,questions:[n],size:ln([n])};try{return ot(F({...i,askance:"form-1"}))}catch{return Ms(i)}}
function Ms(e){try{return ot(F({...e,askance:"form-2"}))}catch{throw new me("form")}}
function wn({form:e,draft:t,question:n},r,o,s){let i=[yr(n,r,o),...s?Ds(t,n,r,s):Us(t,n,r)];return s&&e.images&&x.illustrate?.(i,0,{form:e,speech:r}),i}
function Sr({form:e,draft:t,question:n},r,o){let{words:s}=r,i=yr(n,r,o),a=h("","status");a.setAttribute("role","status");let c=kr(t,n,r,()=>a.replaceChildren(s.preview)),d=[h(s.preview,"for-authors"),i,...c,a];return e.images&&x.illustrate?.(d,0,{form:e,speech:r}),d}
function Or(e){let t=le(e,"",()=>null);return t.resume({id:"",draws:e.questions.map(n=>x.placeDraws(n,Je(n).map(r=>Math.floor(r/2))))}),t}
function yr(e,t,n){let r=E(t.text(e.text));return r.setAttribute("aria-level",n??"2"),r}
function Ds(e,t,n,r){return kr(e,t,n,o=>{e.give(0,o),e.bind(),e.seal(),e.leave(),n.clear(),r()})}
function kr(e,t,n,r){let{words:o}=n,s=e.draws(0),i=x.resolveQuestion(t,s),a=Be(i,s,e.answer(0),n,()=>e.trail(0)),c=()=>{let u=ct(a);u&&r(u)},d=j(i)?ie(i,s,n,a.node):x.renderCoin(i,n,a.node)??[h(o.plain,"badge open"),a.node];return[...x.renderHints(i,n),...d,h(o.giveOnce,"hint"),O(b(o.give,c,"main"))]}
function Us(e,t,n){let{words:r}=n,o=h(r.given,"status");if(!e.isBound())return[o];let s=x.resolveQuestion(t,null,e.value(0));return[o,U(r.bind,at(s,"",e.value(0),n))]}
function Ar(e,t){let n=o=>o.split("-")[0];return t.map(o=>e.find(s=>s===o)??e.find(s=>n(s)===n(o))).find(Boolean)??e[0]}
var Js=["about","collector","consent","contact","languages","seal","title","words"];
async function Br(e,t,n){Z(await z(e)===n,"changed");let r=Zs(e),o=r.questions.map(a=>a.name),s=t===null&&o.length===1?0:o.indexOf(t??"");Z(s>=0,"question");let i=r.questions[s];return Z(i.piped===void 0,"piped"),Z(!(r.skips??[]).some(a=>Xs(a,s,r)),"rule"),qs({...r,images:Ys(r,s)},i)}
function Zs(e){try{let t=JSON.parse(e);return Z(M(t)===e&&t.questions.length>0,"form"),t}catch{throw new ge("form")}}
var Xs=({question:e,after:t},n,{questions:r})=>e===n&&v(r[t]);
function Ys({images:e=[],checklists:t=[]},n){if(t.some(({at:o,items:s})=>n>=o&&n<o+s.length))return[];let r=({at:o})=>o.filter(({question:s})=>s===n).map(s=>({...s,question:0}));return e.map(o=>({...o,at:r(o)})).filter(({at:o})=>o.length>0)}
function qs(e,{beside:t,...n}){let r=e,o=Object.fromEntries(Js.filter(a=>a in e).map(a=>[a,r[a]])),s=k.illustrate&&e.images.length>0?{images:e.images}:{},i={...o,...s,questions:[n],size:bn([n])};try{return dt(M({...i,askance:"form-1"}))}catch{return ei(i)}}
function ei(e){try{return dt(M({...e,askance:"form-2"}))}catch{throw new ge("form")}}
function Ln({form:e,draft:t,question:n},r,o,s){let i=[Rr(n,r,o),...s?ti(t,n,r,s):ni(t,n,r)];return s&&e.images&&k.illustrate?.(i,0,{form:e,speech:r}),i}
function vr({form:e,draft:t,question:n},r,o){let{words:s}=r,i=Rr(n,r,o),a=m("","status");a.setAttribute("role","status");let c=jr(t,n,r,()=>a.replaceChildren(s.preview)),d=[m(s.preview,"for-authors"),i,...c,a];return e.images&&k.illustrate?.(d,0,{form:e,speech:r}),d}
function Hr(e){let t=ue(e,"",()=>null);return t.resume({id:"",draws:e.questions.map(n=>k.placeDraws(n,tt(n).map(r=>Math.floor(r/2))))}),t}
function Rr(e,t,n){let r=O(t.text(e.text));return r.setAttribute("aria-level",n??"2"),r}
function ti(e,t,n,r){return jr(e,t,n,o=>{e.give(0,o),e.bind(),e.seal(),e.leave(),n.clear(),r()})}
function jr(e,t,n,r){let{words:o}=n,s=e.draws(0),i=k.resolveQuestion(t,s),a=He(i,s,e.answer(0),n,()=>e.trail(0)),c=()=>{let u=pt(a);u&&r(u)},d=v(i)?Ee(i,s,n,a.node):k.renderCoin(i,n,a.node)??[m(o.plain,"badge open"),a.node];return[...k.renderHints(i,n),...d,m(o.giveOnce,"hint"),x(w(o.give,c,"main"))]}
function ni(e,t,n){let{words:r}=n,o=m(r.given,"status");if(!e.isBound())return[o];let s=k.resolveQuestion(t,null,e.value(0));return[o,D(r.bind,ft(s,"",e.value(0),n))]}
function Pr(e,t){let n=o=>o.split("-")[0];return t.map(o=>e.find(s=>s===o)??e.find(s=>n(s)===n(o))).find(Boolean)??e[0]}
