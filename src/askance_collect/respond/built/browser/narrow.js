function vc(e,t,n,r){let o=F(),s=p("div",{}),i=te([s],o,"radiogroup"),a,c=()=>{let f=jc(e,t,n,r,u);return xn(i,o),a=f.choices,s.replaceChildren(...f.nodes),s.querySelector("h2")},d=()=>{c()?.focus()};function u(){t.restart(),d()}return c(),{node:i,read:()=>{let f=a.find(({control:g})=>g.checked);if(!f)throw D(o,r.words.choose,a[0].control);let m=f.take(o);return m||d(),m}}}
function jc(e,t,n,r,o){return ne(e).length>0&&!t.outside?Bc(e,t,n,r):t.revealed()?Fc(e,t,r):Hc(e,t,n,r,o)}
function Bc(e,t,n,r){let o=I.exact(e,n,r),s=Et(fe(e,[0,e.line.ticks],r),"",()=>{t.outside=!0}),i=ar(n?.index===null,r),a={control:o.radio,take:c=>o.read(c)};return{nodes:[cr(r.words.where),s.node,...o.nodes,i.node],choices:[s,a,i]}}
function Hc(e,t,n,r,o){let{words:s}=r,i=t.moved()||t.outside,a=uo(e,t.cell(),r),c=Et(s.keepRange,"",()=>t.answer(),n&&n.index!==null),d=Et(s.narrower,s.narrowPromise,()=>t.reveal()),u=ar(n?.index===null,r),l=t.next()?[c,d,u]:[c,u],f=y(s.again,o,"small");return{nodes:[cr(s.soFar(wt(e,t.cell(),r))),h(i?`${s.tellsInside} ${a}`.trim():s.tellsNothing,"hint"),...t.next()?[]:[h(s.narrowest)],...l.map(({node:m})=>m),...i?[f]:[]],choices:l}}
var Pc=e=>e.next()??{tick:0,sides:[],steps:0};
function Fc(e,t,n){let{words:r}=n,{tick:o,sides:s}=Pc(t),a=[...s.map(c=>Et(fe(e,c,n),"",()=>{t.take(c)})),ar(!1,n)];return{nodes:[cr(r.sideOf(bt(e.line,o,n))),...a.map(({node:c})=>c),h(r.committed,"hint")],choices:a}}
function Et(e,t,n,r=!1){let o=ge(r);return{control:o,take:n,node:X(o,e,t)}}
var ar=(e,{words:t})=>Et(t.rather,"",()=>({index:null}),e),
cr=e=>p("h2",{className:"ask",tabIndex:-1},e);
I.narrow=vc;
