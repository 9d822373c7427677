function Pa(e,t,n,r){let o=H(),s=m("div",{}),i=q(e,r,[s],o),a,c=()=>{let f=Ma(e,t,n,r,u);return o.textContent="",a=f.choices,s.replaceChildren(...f.nodes),s.querySelector("h2")},d=()=>{c()?.focus()};function u(){t.restart(),d()}return c(),{node:i,read:()=>{let f=a.find(({control:w})=>w.checked);if(!f)throw W(o,r.words.choose,a[0].control);let g=f.take(o);return g||d(),g}}}
function Ma(e,t,n,r,o){return ee(e).length>0&&!t.outside?Da(e,t,n,r):t.revealed()?Wa(e,t,r):Ua(e,t,n,r,o)}
function Da(e,t,n,r){let o=I.exact(e,n,r),s=ht(se(e,[0,e.line.ticks],r),"",()=>{t.outside=!0}),i=jn(n?.index===null,r),a={control:o.radio,take:c=>o.read(c)};return{nodes:[Bn(r.words.where),s.node,...o.nodes,i.node],choices:[s,a,i]}}
function Ua(e,t,n,r,o){let{words:s}=r,i=t.moved()||t.outside,a=Rr(e,t.cell(),r),c=ht(s.keepRange,"",()=>t.answer(),n&&n.index!==null),d=ht(s.narrower,s.narrowPromise,()=>t.reveal()),u=jn(n?.index===null,r),l=t.next()?[c,d,u]:[c,u],f=b(s.again,o,"small");return{nodes:[Bn(s.soFar(lt(e,t.cell(),r))),h(i?`${s.tellsInside} ${a}`.trim():s.tellsNothing,"hint"),...t.next()?[]:[h(s.narrowest)],...l.map(({node:g})=>g),...i?[f]:[]],choices:l}}
var Fa=e=>e.next()??{tick:0,sides:[],steps:0};
function Wa(e,t,n){let{words:r}=n,{tick:o,sides:s}=Fa(t),a=[...s.map(c=>ht(se(e,c,n),"",()=>{t.take(c)})),jn(!1,n)];return{nodes:[Bn(r.sideOf(ut(e.line,o,n))),...a.map(({node:c})=>c),h(r.committed,"hint")],choices:a}}
function ht(e,t,n,r=!1){let o=de(r);return{control:o,take:n,node:J(o,e,t)}}
var jn=(e,{words:t})=>ht(t.rather,"",()=>({index:null}),e),
Bn=e=>m("h2",{className:"ask",tabIndex:-1},e);
I.narrow=Pa;
