var SHARED=["about","collector","consent","contact","languages","seal","title","words"];
async function questionAlone(n,s,e){refuseUnless(await sha256(n)===e,"changed");const t=formOf(n),o=t.questions.map(i=>i.name),r=s===null&&o.length===1?0:o.indexOf(s??"");refuseUnless(r>=0,"question");const a=t.questions[r];return refuseUnless(a.piped===void 0,"piped"),refuseUnless(!(t.skips??[]).some(i=>isTelling(i,r,t)),"rule"),readAlone({...t,images:imagesOf(t,r)},a)}
function formOf(n){try{const s=JSON.parse(n);return refuseUnless(canonical(s)===n&&s.questions.length>0,"form"),s}catch{throw new Refusal("form")}}
var isTelling=({question:n,after:s},e,{questions:t})=>n===e&&isProtected(t[s]);
function imagesOf({images:n=[],checklists:s=[]},e){if(s.some(({at:o,items:r})=>e>=o&&e<o+r.length))return[];const t=({at:o})=>o.filter(({question:r})=>r===e).map(r=>({...r,question:0}));return n.map(o=>({...o,at:t(o)})).filter(({at:o})=>o.length>0)}
function readAlone(n,{beside:s,...e}){const t=n,o=Object.fromEntries(SHARED.filter(i=>i in n).map(i=>[i,t[i]])),r=hooks.illustrate&&n.images.length>0?{images:n.images}:{},a={...o,...r,questions:[e],size:bodySize([e])};try{return readForm(canonical({...a,askance:"form-1"}))}catch{return readNewer(a)}}
function readNewer(n){try{return readForm(canonical({...n,askance:"form-2"}))}catch{throw new Refusal("form")}}
function shownAlone({form:n,draft:s,question:e},t,o,r){const a=[headingAlone(e,t,o),...r?askingNodes(s,e,t,r):givenNodes(s,e,t)];return r&&n.images&&hooks.illustrate?.(a,0,{form:n,speech:t}),a}
function previewAlone({form:n,draft:s,question:e},t,o){const{words:r}=t,a=headingAlone(e,t,o),i=paragraph("","status");i.setAttribute("role","status");const u=controlNodes(s,e,t,()=>i.replaceChildren(r.preview)),l=[paragraph(r.preview,"for-authors"),a,...u,i];return n.images&&hooks.illustrate?.(l,0,{form:n,speech:t}),l}
function standInDraft(n){const s=openDraft(n,"",()=>null);return s.resume({id:"",draws:n.questions.map(e=>hooks.placeDraws(e,bounds(e).map(t=>Math.floor(t/2))))}),s}
function headingAlone(n,s,e){const t=heading(s.text(n.text));return t.setAttribute("aria-level",e??"2"),t}
function askingNodes(n,s,e,t){return controlNodes(n,s,e,o=>{n.give(0,o),n.bind(),n.seal(),n.leave(),e.clear(),t()})}
function controlNodes(n,s,e,t){const{words:o}=e,r=n.draws(0),a=hooks.resolveQuestion(s,r),i=fieldFor(a,r,n.answer(0),e,()=>n.trail(0)),u=()=>{const c=readField(i);c&&t(c)},l=isProtected(a)?protection(a,r,e,i.node):hooks.renderCoin(a,e,i.node)??[paragraph(o.plain,"badge open"),i.node];return[...hooks.renderHints(a,e),...l,paragraph(o.giveOnce,"hint"),buttons(button(o.give,u,"main"))]}
function givenNodes(n,s,e){const{words:t}=e,o=paragraph(t.given,"status");if(!n.isBound())return[o];const r=hooks.resolveQuestion(s,null,n.value(0));return[o,foldOut(t.bind,sides(r,"",n.value(0),e))]}
function languageAmong(n,s){const e=o=>o.split("-")[0];return s.map(o=>n.find(r=>r===o)??n.find(r=>e(r)===e(o))).find(Boolean)??n[0]}
