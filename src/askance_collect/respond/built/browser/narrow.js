function hc(e,t,n,r){let o=P(),s=p("div",{}),i=Y([s],o,"radiogroup"),a,c=()=>{let f=gc(e,t,n,r,u);return gn(i,o),a=f.choices,s.replaceChildren(...f.nodes),s.querySelector("h2")},d=()=>{c()?.focus()};function u(){t.restart(),d()}return c(),{node:i,read:()=>{let f=a.find(({control:g})=>g.checked);if(!f)throw D(o,r.words.choose,a[0].control);let m=f.take(o);return m||d(),m}}}
function gc(e,t,n,r,o){return ee(e).length>0&&!t.outside?wc(e,t,n,r):t.revealed()?kc(e,t,r):bc(e,t,n,r,o)}
function wc(e,t,n,r){let o=T.exact(e,n,r),s=St(le(e,[0,e.line.ticks],r),"",()=>{t.outside=!0}),i=nr(n?.index===null,r),a={control:o.radio,take:c=>o.read(c)};return{nodes:[rr(r.words.where),s.node,...o.nodes,i.node],choices:[s,a,i]}}
function bc(e,t,n,r,o){let{words:s}=r,i=t.moved()||t.outside,a=ao(e,t.cell(),r),c=St(s.keepRange,"",()=>t.answer(),n&&n.index!==null),d=St(s.narrower,s.narrowPromise,()=>t.reveal()),u=nr(n?.index===null,r),l=t.next()?[c,d,u]:[c,u],f=w(s.again,o,"small");return{nodes:[rr(s.soFar(gt(e,t.cell(),r))),h(i?`${s.tellsInside} ${a}`.trim():s.tellsNothing,"hint"),...t.next()?[]:[h(s.narrowest)],...l.map(({node:m})=>m),...i?[f]:[]],choices:l}}
var yc=e=>e.next()??{tick:0,sides:[],steps:0};
function kc(e,t,n){let{words:r}=n,{tick:o,sides:s}=yc(t),a=[...s.map(c=>St(le(e,c,n),"",()=>{t.take(c)})),nr(!1,n)];return{nodes:[rr(r.sideOf(wt(e.line,o,n))),...a.map(({node:c})=>c),h(r.committed,"hint")],choices:a}}
function St(e,t,n,r=!1){let o=me(r);return{control:o,take:n,node:J(o,e,t)}}
var nr=(e,{words:t})=>St(t.rather,"",()=>({index:null}),e),
rr=e=>p("h2",{className:"ask",tabIndex:-1},e);
T.narrow=hc;
