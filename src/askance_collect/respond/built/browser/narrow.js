function yc(e,t,n,r){let o=F(),s=p("div",{}),i=Y([s],o,"radiogroup"),a,c=()=>{let f=kc(e,t,n,r,u);return bn(i,o),a=f.choices,s.replaceChildren(...f.nodes),s.querySelector("h2")},d=()=>{c()?.focus()};function u(){t.restart(),d()}return c(),{node:i,read:()=>{let f=a.find(({control:g})=>g.checked);if(!f)throw D(o,r.words.choose,a[0].control);let m=f.take(o);return m||d(),m}}}
function kc(e,t,n,r,o){return ee(e).length>0&&!t.outside?xc(e,t,n,r):t.revealed()?Ac(e,t,r):Sc(e,t,n,r,o)}
function xc(e,t,n,r){let o=L.exact(e,n,r),s=At(le(e,[0,e.line.ticks],r),"",()=>{t.outside=!0}),i=or(n?.index===null,r),a={control:o.radio,take:c=>o.read(c)};return{nodes:[sr(r.words.where),s.node,...o.nodes,i.node],choices:[s,a,i]}}
function Sc(e,t,n,r,o){let{words:s}=r,i=t.moved()||t.outside,a=co(e,t.cell(),r),c=At(s.keepRange,"",()=>t.answer(),n&&n.index!==null),d=At(s.narrower,s.narrowPromise,()=>t.reveal()),u=or(n?.index===null,r),l=t.next()?[c,d,u]:[c,u],f=b(s.again,o,"small");return{nodes:[sr(s.soFar(wt(e,t.cell(),r))),h(i?`${s.tellsInside} ${a}`.trim():s.tellsNothing,"hint"),...t.next()?[]:[h(s.narrowest)],...l.map(({node:m})=>m),...i?[f]:[]],choices:l}}
var Oc=e=>e.next()??{tick:0,sides:[],steps:0};
function Ac(e,t,n){let{words:r}=n,{tick:o,sides:s}=Oc(t),a=[...s.map(c=>At(le(e,c,n),"",()=>{t.take(c)})),or(!1,n)];return{nodes:[sr(r.sideOf(bt(e.line,o,n))),...a.map(({node:c})=>c),h(r.committed,"hint")],choices:a}}
function At(e,t,n,r=!1){let o=me(r);return{control:o,take:n,node:J(o,e,t)}}
var or=(e,{words:t})=>At(t.rather,"",()=>({index:null}),e),
sr=e=>p("h2",{className:"ask",tabIndex:-1},e);
L.narrow=yc;
function wc(e,t,n,r){let o=P(),s=m("div",{}),i=Y([s],o,"radiogroup"),a,c=()=>{let f=bc(e,t,n,r,u);return gn(i,o),a=f.choices,s.replaceChildren(...f.nodes),s.querySelector("h2")},d=()=>{c()?.focus()};function u(){t.restart(),d()}return c(),{node:i,read:()=>{let f=a.find(({control:g})=>g.checked);if(!f)throw D(o,r.words.choose,a[0].control);let p=f.take(o);return p||d(),p}}}
function bc(e,t,n,r,o){return ee(e).length>0&&!t.outside?yc(e,t,n,r):t.revealed()?Sc(e,t,r):kc(e,t,n,r,o)}
function yc(e,t,n,r){let o=L.exact(e,n,r),s=St(ue(e,[0,e.line.ticks],r),"",()=>{t.outside=!0}),i=rr(n?.index===null,r),a={control:o.radio,take:c=>o.read(c)};return{nodes:[or(r.words.where),s.node,...o.nodes,i.node],choices:[s,a,i]}}
function kc(e,t,n,r,o){let{words:s}=r,i=t.moved()||t.outside,a=ao(e,t.cell(),r),c=St(s.keepRange,"",()=>t.answer(),n&&n.index!==null),d=St(s.narrower,s.narrowPromise,()=>t.reveal()),u=rr(n?.index===null,r),l=t.next()?[c,d,u]:[c,u],f=w(s.again,o,"small");return{nodes:[or(s.soFar(gt(e,t.cell(),r))),h(i?`${s.tellsInside} ${a}`.trim():s.tellsNothing,"hint"),...t.next()?[]:[h(s.narrowest)],...l.map(({node:p})=>p),...i?[f]:[]],choices:l}}
var xc=e=>e.next()??{tick:0,sides:[],steps:0};
function Sc(e,t,n){let{words:r}=n,{tick:o,sides:s}=xc(t),a=[...s.map(c=>St(ue(e,c,n),"",()=>{t.take(c)})),rr(!1,n)];return{nodes:[or(r.sideOf(wt(e.line,o,n))),...a.map(({node:c})=>c),h(r.committed,"hint")],choices:a}}
function St(e,t,n,r=!1){let o=he(r);return{control:o,take:n,node:J(o,e,t)}}
var rr=(e,{words:t})=>St(t.rather,"",()=>({index:null}),e),
or=e=>m("h2",{className:"ask",tabIndex:-1},e);
L.narrow=wc;
