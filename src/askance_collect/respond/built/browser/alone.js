var SHARED=["about","collector","consent","contact","languages","seal","title","words"];
async function questionAlone(n,r,e){refuseUnless(await sha256(n)===e,"changed");const t=formOf(n),o=t.questions.map(a=>a.name),s=r===null&&o.length===1?0:o.indexOf(r);refuseUnless(s>=0,"question");const i=t.questions[s];return refuseUnless(i.piped===void 0,"piped"),refuseUnless(!(t.skips??[]).some(a=>isTelling(a,s,t)),"rule"),readAlone({...t,images:imagesOf(t,s)},i)}
function formOf(n){try{const r=JSON.parse(n);return refuseUnless(canonical(r)===n&&r.questions.length>0,"form"),r}catch{throw new Refusal("form")}}
var isTelling=({question:n,after:r},e,{questions:t})=>n===e&&isProtected(t[r]);
function imagesOf({images:n=[],checklists:r=[]},e){if(r.some(({at:o,items:s})=>e>=o&&e<o+s.length))return[];const t=({at:o})=>o.filter(({question:s})=>s===e).map(s=>({...s,question:0}));return n.map(o=>({...o,at:t(o)})).filter(({at:o})=>o.length>0)}
function readAlone(n,{beside:r,...e}){const t=Object.fromEntries(SHARED.filter(i=>i in n).map(i=>[i,n[i]])),o=hooks.illustrate&&n.images.length>0?{images:n.images}:{},s={...t,...o,questions:[e],size:bodySize([e])};try{return readForm(canonical({...s,askance:"form-1"}))}catch{return readNewer(s)}}
function readNewer(n){try{return readForm(canonical({...n,askance:"form-2"}))}catch{throw new Refusal("form")}}
function shownAlone({form:n,draft:r,question:e},t,o,s){const i=[headingAlone(e,t,o),...s?askingNodes(r,e,t,s):givenNodes(r,e,t)];return s&&n.images&&hooks.illustrate(i,0,{form:n,speech:t}),i}
function previewAlone({form:n,draft:r,question:e},t,o){const{words:s}=t,i=headingAlone(e,t,o),a=paragraph("","status");a.setAttribute("role","status");const u=controlNodes(r,e,t,()=>a.replaceChildren(s.preview)),l=[paragraph(s.preview,"for-authors"),i,...u,a];return n.images&&hooks.illustrate(l,0,{form:n,speech:t}),l}
function standInDraft(n){const r=openDraft(n,"",()=>null);return r.resume({id:"",draws:n.questions.map(e=>hooks.placeDraws(e,bounds(e).map(t=>Math.floor(t/2))))}),r}
function headingAlone(n,r,e){const t=heading(r.text(n.text));return t.setAttribute("aria-level",e??"2"),t}
function askingNodes(n,r,e,t){return controlNodes(n,r,e,o=>{n.give(0,o),n.bind(),n.seal(),n.leave(),t()})}
function controlNodes(n,r,e,t){const{words:o}=e,s=n.draws(0),i=hooks.resolveQuestion(r,s),a=fieldFor(i,s,n.answer(0),e,()=>n.trail(0)),u=()=>{const c=readField(a);c&&t(c)},l=isProtected(i)?protection(i,s,e,a.node):hooks.renderCoin(i,e,a.node)??[paragraph(o.plain,"badge open"),a.node];return[...hooks.renderHints(i,e),...l,paragraph(o.giveOnce,"hint"),buttons(button(o.give,u,"main"))]}
function givenNodes(n,r,e){const{words:t}=e,o=paragraph(t.given,"status");if(!n.isBound())return[o];const s=hooks.resolveQuestion(r,null,n.value(0));return[o,foldOut(t.bind,sides(s,"",n.value(0),e))]}
function languageAmong(n,r){const e=o=>o.split("-")[0];return r.map(o=>n.find(s=>s===o)??n.find(s=>e(s)===e(o))).find(Boolean)??n[0]}
