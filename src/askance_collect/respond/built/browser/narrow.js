function lc(e,t,n,r){let o=P(),s=p("div",{}),i=q(e,r,[s],o),a,c=()=>{let f=uc(e,t,n,r,u);return o.textContent="",a=f.choices,s.replaceChildren(...f.nodes),s.querySelector("h2")},d=()=>{c()?.focus()};function u(){t.restart(),d()}return c(),{node:i,read:()=>{let f=a.find(({control:g})=>g.checked);if(!f)throw U(o,r.words.choose,a[0].control);let h=f.take(o);return h||d(),h}}}
function uc(e,t,n,r,o){return ee(e).length>0&&!t.outside?fc(e,t,n,r):t.revealed()?hc(e,t,r):pc(e,t,n,r,o)}
function fc(e,t,n,r){let o=T.exact(e,n,r),s=Ot(de(e,[0,e.line.ticks],r),"",()=>{t.outside=!0}),i=qn(n?.index===null,r),a={control:o.radio,take:c=>o.read(c)};return{nodes:[er(r.words.where),s.node,...o.nodes,i.node],choices:[s,a,i]}}
function pc(e,t,n,r,o){let{words:s}=r,i=t.moved()||t.outside,a=Xr(e,t.cell(),r),c=Ot(s.keepRange,"",()=>t.answer(),n&&n.index!==null),d=Ot(s.narrower,s.narrowPromise,()=>t.reveal()),u=qn(n?.index===null,r),l=t.next()?[c,d,u]:[c,u],f=w(s.again,o,"small");return{nodes:[er(s.soFar(wt(e,t.cell(),r))),m(i?`${s.tellsInside} ${a}`.trim():s.tellsNothing,"hint"),...t.next()?[]:[m(s.narrowest)],...l.map(({node:h})=>h),...i?[f]:[]],choices:l}}
var mc=e=>e.next()??{tick:0,sides:[],steps:0};
function hc(e,t,n){let{words:r}=n,{tick:o,sides:s}=mc(t),a=[...s.map(c=>Ot(de(e,c,n),"",()=>{t.take(c)})),qn(!1,n)];return{nodes:[er(r.sideOf(bt(e.line,o,n))),...a.map(({node:c})=>c),m(r.committed,"hint")],choices:a}}
function Ot(e,t,n,r=!1){let o=me(r);return{control:o,take:n,node:J(o,e,t)}}
var qn=(e,{words:t})=>Ot(t.rather,"",()=>({index:null}),e),
er=e=>p("h2",{className:"ask",tabIndex:-1},e);
T.narrow=lc;
