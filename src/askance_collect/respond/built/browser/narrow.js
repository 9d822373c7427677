function id(e,t,n,r){let o=M(),s=p("div",{}),i=ne([s],o,"radiogroup"),a,c=()=>{let f=ad(e,t,n,r,u);return En(i,o),a=f.choices,s.replaceChildren(...f.nodes),s.querySelector("h2")},d=()=>{c()?.focus()};function u(){t.restart(),d()}return c(),{node:i,read:()=>{let f=a.find(({control:g})=>g.checked);if(!f)throw D(o,r.words.choose,a[0].control);let m=f.take(o);return m||d(),m}}}
function ad(e,t,n,r,o){return he(e).length>0&&!t.outside?cd(e,t,n,r):t.revealed()?ud(e,t,r):dd(e,t,n,r,o)}
function cd(e,t,n,r){let o=T.exact(e,n,r),s=Tt(ge(e,[0,e.line.ticks],r),"",()=>{t.outside=!0}),i=gr(n?.index===null,r),a={control:o.radio,take:c=>o.read(c)};return{nodes:[wr(r.words.where),s.node,...o.nodes,i.node],choices:[s,a,i]}}
function dd(e,t,n,r,o){let{words:s}=r,i=t.moved()||t.outside,a=yo(e,t.cell(),r),c=Tt(s.keepRange,"",()=>t.answer(),n&&n.index!==null),d=Tt(s.narrower,s.narrowPromise,()=>t.reveal()),u=gr(n?.index===null,r),l=t.next()?[c,d,u]:[c,u],f=y(s.again,o,"small");return{nodes:[wr(s.soFar(yt(e,t.cell(),r))),h(i?`${s.tellsInside} ${a}`.trim():s.tellsNothing,"hint"),...t.next()?[]:[h(s.narrowest)],...l.map(({node:m})=>m),...i?[f]:[]],choices:l}}
var ld=e=>e.next()??{tick:0,sides:[],steps:0};
function ud(e,t,n){let{words:r}=n,{tick:o,sides:s}=ld(t),a=[...s.map(c=>Tt(ge(e,c,n),"",()=>{t.take(c)})),gr(!1,n)];return{nodes:[wr(r.sideOf(kt(e.line,o,n))),...a.map(({node:c})=>c),h(r.committed,"hint")],choices:a}}
function Tt(e,t,n,r=!1){let o=ke(r);return{control:o,take:n,node:Y(o,e,t)}}
var gr=(e,{words:t})=>Tt(t.rather,"",()=>({index:null}),e),
wr=e=>p("h2",{className:"ask",tabIndex:-1},e);
T.narrow=id;
