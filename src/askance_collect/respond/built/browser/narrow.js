function narrowField(e,n,t,o){const r=complaintLine(),s=element("div",{}),d=group(e,o,[s],r);let c;const a=()=>{const i=stageOf(e,n,t,o,f);return r.textContent="",c=i.choices,s.replaceChildren(...i.nodes),s.querySelector("h2")},l=()=>{a()?.focus()};function f(){n.restart(),l()}return a(),{node:d,read:()=>{const i=c.find(({control:h})=>h.checked);if(!i)throw showComplaint(r,o.words.choose,c[0].control);const u=i.take(r);return u||l(),u}}}
function stageOf(e,n,t,o,r){return openOf(e).length>0&&!n.outside?whereStage(e,n,t,o):n.revealed()?sideStage(e,n,o):offerStage(e,n,t,o,r)}
function whereStage(e,n,t,o){const r=fieldTypes.exact(e,t,o),s=choice(rangeLabel(e,[0,e.line.ticks],o),"",()=>{n.outside=!0}),d=dropping(t?.index===null,o),c={control:r.radio,take:a=>r.read(a)};return{nodes:[askHeading(o.words.where),s.node,...r.nodes,d.node],choices:[s,c,d]}}
function offerStage(e,n,t,o,r){const{words:s}=o,d=n.moved()||n.outside,c=shareIn(e,n.cell(),o),a=choice(s.keepRange,"",()=>n.answer(),t&&t.index!==null),l=choice(s.narrower,s.narrowPromise,()=>n.reveal()),f=dropping(t?.index===null,o),g=n.next()?[a,l,f]:[a,f],i=button(s.again,r,"small");return{nodes:[askHeading(s.soFar(rangePhrase(e,n.cell(),o))),paragraph(d?`${s.tellsInside} ${c}`.trim():s.tellsNothing,"hint"),...n.next()?[]:[paragraph(s.narrowest)],...g.map(({node:u})=>u),...d?[i]:[]],choices:g}}
var stopOf=e=>e.next()??{tick:0,sides:[],steps:0};
function sideStage(e,n,t){const{words:o}=t,{tick:r,sides:s}=stopOf(n),c=[...s.map(a=>choice(rangeLabel(e,a,t),"",()=>{n.take(a)})),dropping(!1,t)];return{nodes:[askHeading(o.sideOf(tickLabel(e.line,r,t))),...c.map(({node:a})=>a),paragraph(o.committed,"hint")],choices:c}}
function choice(e,n,t,o=!1){const r=radio(o);return{control:r,take:t,node:option(r,e,n)}}
var dropping=(e,{words:n})=>choice(n.rather,"",()=>({index:null}),e),
askHeading=e=>element("h2",{className:"ask",tabIndex:-1},e);
fieldTypes.narrow=narrowField;
