function Ac(e,t,n,r){let o=D(),s=m("div",{}),i=q([s],o,"radiogroup"),a,c=()=>{let f=Ec(e,t,n,r,u);return bn(i,o),a=f.choices,s.replaceChildren(...f.nodes),s.querySelector("h2")},d=()=>{c()?.focus()};function u(){t.restart(),d()}return c(),{node:i,read:()=>{let f=a.find(({control:g})=>g.checked);if(!f)throw F(o,r.words.choose,a[0].control);let p=f.take(o);return p||d(),p}}}
function Ec(e,t,n,r,o){return te(e).length>0&&!t.outside?Nc(e,t,n,r):t.revealed()?Ic(e,t,r):Tc(e,t,n,r,o)}
function Nc(e,t,n,r){let o=I.exact(e,n,r),s=At(ue(e,[0,e.line.ticks],r),"",()=>{t.outside=!0}),i=sr(n?.index===null,r),a={control:o.radio,take:c=>o.read(c)};return{nodes:[ir(r.words.where),s.node,...o.nodes,i.node],choices:[s,a,i]}}
function Tc(e,t,n,r,o){let{words:s}=r,i=t.moved()||t.outside,a=co(e,t.cell(),r),c=At(s.keepRange,"",()=>t.answer(),n&&n.index!==null),d=At(s.narrower,s.narrowPromise,()=>t.reveal()),u=sr(n?.index===null,r),l=t.next()?[c,d,u]:[c,u],f=b(s.again,o,"small");return{nodes:[ir(s.soFar(wt(e,t.cell(),r))),h(i?`${s.tellsInside} ${a}`.trim():s.tellsNothing,"hint"),...t.next()?[]:[h(s.narrowest)],...l.map(({node:p})=>p),...i?[f]:[]],choices:l}}
var Lc=e=>e.next()??{tick:0,sides:[],steps:0};
function Ic(e,t,n){let{words:r}=n,{tick:o,sides:s}=Lc(t),a=[...s.map(c=>At(ue(e,c,n),"",()=>{t.take(c)})),sr(!1,n)];return{nodes:[ir(r.sideOf(bt(e.line,o,n))),...a.map(({node:c})=>c),h(r.committed,"hint")],choices:a}}
function At(e,t,n,r=!1){let o=he(r);return{control:o,take:n,node:J(o,e,t)}}
var sr=(e,{words:t})=>At(t.rather,"",()=>({index:null}),e),
ir=e=>m("h2",{className:"ask",tabIndex:-1},e);
I.narrow=Ac;
