function Uc(e,t,n,r){let o=F(),s=m("div",{}),i=te([s],o,"radiogroup"),a,c=()=>{let f=Wc(e,t,n,r,u);return On(i,o),a=f.choices,s.replaceChildren(...f.nodes),s.querySelector("h2")},d=()=>{c()?.focus()};function u(){t.restart(),d()}return c(),{node:i,read:()=>{let f=a.find(({control:g})=>g.checked);if(!f)throw D(o,r.words.choose,a[0].control);let p=f.take(o);return p||d(),p}}}
function Wc(e,t,n,r,o){return re(e).length>0&&!t.outside?_c(e,t,n,r):t.revealed()?zc(e,t,r):Kc(e,t,n,r,o)}
function _c(e,t,n,r){let o=I.exact(e,n,r),s=Nt(me(e,[0,e.line.ticks],r),"",()=>{t.outside=!0}),i=pr(n?.index===null,r),a={control:o.radio,take:c=>o.read(c)};return{nodes:[mr(r.words.where),s.node,...o.nodes,i.node],choices:[s,a,i]}}
function Kc(e,t,n,r,o){let{words:s}=r,i=t.moved()||t.outside,a=bo(e,t.cell(),r),c=Nt(s.keepRange,"",()=>t.answer(),n&&n.index!==null),d=Nt(s.narrower,s.narrowPromise,()=>t.reveal()),u=pr(n?.index===null,r),l=t.next()?[c,d,u]:[c,u],f=y(s.again,o,"small");return{nodes:[mr(s.soFar(bt(e,t.cell(),r))),h(i?`${s.tellsInside} ${a}`.trim():s.tellsNothing,"hint"),...t.next()?[]:[h(s.narrowest)],...l.map(({node:p})=>p),...i?[f]:[]],choices:l}}
var Gc=e=>e.next()??{tick:0,sides:[],steps:0};
function zc(e,t,n){let{words:r}=n,{tick:o,sides:s}=Gc(t),a=[...s.map(c=>Nt(me(e,c,n),"",()=>{t.take(c)})),pr(!1,n)];return{nodes:[mr(r.sideOf(yt(e.line,o,n))),...a.map(({node:c})=>c),h(r.committed,"hint")],choices:a}}
function Nt(e,t,n,r=!1){let o=be(r);return{control:o,take:n,node:X(o,e,t)}}
var pr=(e,{words:t})=>Nt(t.rather,"",()=>({index:null}),e),
mr=e=>m("h2",{className:"ask",tabIndex:-1},e);
I.narrow=Uc;
