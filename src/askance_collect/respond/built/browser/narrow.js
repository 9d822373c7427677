function Ra(e,t,n,r){let o=H(),s=m("div",{}),i=X(e,r,[s],o),a,c=()=>{let f=ja(e,t,n,r,u);return o.textContent="",a=f.choices,s.replaceChildren(...f.nodes),s.querySelector("h2")},d=()=>{c()?.focus()};function u(){t.restart(),d()}return c(),{node:i,read:()=>{let f=a.find(({control:w})=>w.checked);if(!f)throw W(o,r.words.choose,a[0].control);let g=f.take(o);return g||d(),g}}}
function ja(e,t,n,r,o){return q(e).length>0&&!t.outside?Ba(e,t,n,r):t.revealed()?Ma(e,t,r):Ha(e,t,n,r,o)}
function Ba(e,t,n,r){let o=I.exact(e,n,r),s=pt(se(e,[0,e.line.ticks],r),"",()=>{t.outside=!0}),i=Cn(n?.index===null,r),a={control:o.radio,take:c=>o.read(c)};return{nodes:[vn(r.words.where),s.node,...o.nodes,i.node],choices:[s,a,i]}}
function Ha(e,t,n,r,o){let{words:s}=r,i=t.moved()||t.outside,a=Nr(e,t.cell(),r),c=pt(s.keepRange,"",()=>t.answer(),n&&n.index!==null),d=pt(s.narrower,s.narrowPromise,()=>t.reveal()),u=Cn(n?.index===null,r),l=t.next()?[c,d,u]:[c,u],f=b(s.again,o,"small");return{nodes:[vn(s.soFar(ct(e,t.cell(),r))),h(i?`${s.tellsInside} ${a}`.trim():s.tellsNothing,"hint"),...t.next()?[]:[h(s.narrowest)],...l.map(({node:g})=>g),...i?[f]:[]],choices:l}}
var Pa=e=>e.next()??{tick:0,sides:[],steps:0};
function Ma(e,t,n){let{words:r}=n,{tick:o,sides:s}=Pa(t),a=[...s.map(c=>pt(se(e,c,n),"",()=>{t.take(c)})),Cn(!1,n)];return{nodes:[vn(r.sideOf(dt(e.line,o,n))),...a.map(({node:c})=>c),h(r.committed,"hint")],choices:a}}
function pt(e,t,n,r=!1){let o=de(r);return{control:o,take:n,node:Q(o,e,t)}}
var Cn=(e,{words:t})=>pt(t.rather,"",()=>({index:null}),e),
vn=e=>m("h2",{className:"ask",tabIndex:-1},e);
I.narrow=Ra;
