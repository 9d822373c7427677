function za(e,t,n,r){let o=H(),s=m("div",{}),i=q(e,r,[s],o),a,c=()=>{let f=Va(e,t,n,r,u);return o.textContent="",a=f.choices,s.replaceChildren(...f.nodes),s.querySelector("h2")},d=()=>{c()?.focus()};function u(){t.restart(),d()}return c(),{node:i,read:()=>{let f=a.find(({control:w})=>w.checked);if(!f)throw W(o,r.words.choose,a[0].control);let g=f.take(o);return g||d(),g}}}
function Va(e,t,n,r,o){return ee(e).length>0&&!t.outside?Qa(e,t,n,r):t.revealed()?Ya(e,t,r):Ja(e,t,n,r,o)}
function Qa(e,t,n,r){let o=I.exact(e,n,r),s=gt(ae(e,[0,e.line.ticks],r),"",()=>{t.outside=!0}),i=Hn(n?.index===null,r),a={control:o.radio,take:c=>o.read(c)};return{nodes:[Pn(r.words.where),s.node,...o.nodes,i.node],choices:[s,a,i]}}
function Ja(e,t,n,r,o){let{words:s}=r,i=t.moved()||t.outside,a=jr(e,t.cell(),r),c=gt(s.keepRange,"",()=>t.answer(),n&&n.index!==null),d=gt(s.narrower,s.narrowPromise,()=>t.reveal()),u=Hn(n?.index===null,r),l=t.next()?[c,d,u]:[c,u],f=b(s.again,o,"small");return{nodes:[Pn(s.soFar(ut(e,t.cell(),r))),h(i?`${s.tellsInside} ${a}`.trim():s.tellsNothing,"hint"),...t.next()?[]:[h(s.narrowest)],...l.map(({node:g})=>g),...i?[f]:[]],choices:l}}
var Za=e=>e.next()??{tick:0,sides:[],steps:0};
function Ya(e,t,n){let{words:r}=n,{tick:o,sides:s}=Za(t),a=[...s.map(c=>gt(ae(e,c,n),"",()=>{t.take(c)})),Hn(!1,n)];return{nodes:[Pn(r.sideOf(ft(e.line,o,n))),...a.map(({node:c})=>c),h(r.committed,"hint")],choices:a}}
function gt(e,t,n,r=!1){let o=ue(r);return{control:o,take:n,node:Z(o,e,t)}}
var Hn=(e,{words:t})=>gt(t.rather,"",()=>({index:null}),e),
Pn=e=>m("h2",{className:"ask",tabIndex:-1},e);
I.narrow=za;
function ec(e,t,n,r){let o=P(),s=p("div",{}),i=q(e,r,[s],o),a,c=()=>{let f=tc(e,t,n,r,u);return o.textContent="",a=f.choices,s.replaceChildren(...f.nodes),s.querySelector("h2")},d=()=>{c()?.focus()};function u(){t.restart(),d()}return c(),{node:i,read:()=>{let f=a.find(({control:g})=>g.checked);if(!f)throw U(o,r.words.choose,a[0].control);let h=f.take(o);return h||d(),h}}}
function tc(e,t,n,r,o){return ee(e).length>0&&!t.outside?nc(e,t,n,r):t.revealed()?sc(e,t,r):rc(e,t,n,r,o)}
function nc(e,t,n,r){let o=T.exact(e,n,r),s=St(ae(e,[0,e.line.ticks],r),"",()=>{t.outside=!0}),i=Xn(n?.index===null,r),a={control:o.radio,take:c=>o.read(c)};return{nodes:[Yn(r.words.where),s.node,...o.nodes,i.node],choices:[s,a,i]}}
function rc(e,t,n,r,o){let{words:s}=r,i=t.moved()||t.outside,a=Zr(e,t.cell(),r),c=St(s.keepRange,"",()=>t.answer(),n&&n.index!==null),d=St(s.narrower,s.narrowPromise,()=>t.reveal()),u=Xn(n?.index===null,r),l=t.next()?[c,d,u]:[c,u],f=w(s.again,o,"small");return{nodes:[Yn(s.soFar(gt(e,t.cell(),r))),m(i?`${s.tellsInside} ${a}`.trim():s.tellsNothing,"hint"),...t.next()?[]:[m(s.narrowest)],...l.map(({node:h})=>h),...i?[f]:[]],choices:l}}
var oc=e=>e.next()??{tick:0,sides:[],steps:0};
function sc(e,t,n){let{words:r}=n,{tick:o,sides:s}=oc(t),a=[...s.map(c=>St(ae(e,c,n),"",()=>{t.take(c)})),Xn(!1,n)];return{nodes:[Yn(r.sideOf(wt(e.line,o,n))),...a.map(({node:c})=>c),m(r.committed,"hint")],choices:a}}
function St(e,t,n,r=!1){let o=fe(r);return{control:o,take:n,node:Q(o,e,t)}}
var Xn=(e,{words:t})=>St(t.rather,"",()=>({index:null}),e),
Yn=e=>p("h2",{className:"ask",tabIndex:-1},e);
T.narrow=ec;
