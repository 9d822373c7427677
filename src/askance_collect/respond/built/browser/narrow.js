function ad(e,t,n,r){let o=M(),s=p("div",{}),i=ne([s],o,"radiogroup"),a,c=()=>{let f=cd(e,t,n,r,u);return En(i,o),a=f.choices,s.replaceChildren(...f.nodes),s.querySelector("h2")},d=()=>{c()?.focus()};function u(){t.restart(),d()}return c(),{node:i,read:()=>{let f=a.find(({control:g})=>g.checked);if(!f)throw D(o,r.words.choose,a[0].control);let m=f.take(o);return m||d(),m}}}
function cd(e,t,n,r,o){return Ne(e).length>0&&!t.outside?N.where(e,t,n,r,[gr,Nt,hr]):t.revealed()?ud(e,t,r):dd(e,t,n,r,o)}
function dd(e,t,n,r,o){let{words:s}=r,i=t.moved()||t.outside,a=bo(e,t.cell(),r),c=Nt(s.keepRange,"",()=>t.answer(),n&&n.index!==null),d=Nt(s.narrower,s.narrowPromise,()=>t.reveal()),u=hr(n?.index===null,r),l=t.next()?[c,d,u]:[c,u],f=y(s.again,o,"small");return{nodes:[gr(s.soFar(yt(e,t.cell(),r))),h(i?`${s.tellsInside} ${a}`.trim():s.tellsNothing,"hint"),...t.next()?[]:[h(s.narrowest)],...l.map(({node:m})=>m),...i?[f]:[]],choices:l}}
var ld=e=>e.next()??{tick:0,sides:[],steps:0};
function ud(e,t,n){let{words:r}=n,{tick:o,sides:s}=ld(t),a=[...s.map(c=>Nt(oe(e,c,n),"",()=>{t.take(c)})),hr(!1,n)];return{nodes:[gr(r.sideOf(kt(e.line,o,n))),...a.map(({node:c})=>c),h(r.committed,"hint")],choices:a}}
function Nt(e,t,n,r=!1){let o=ye(r);return{control:o,take:n,node:X(o,e,t)}}
var hr=(e,{words:t})=>Nt(t.rather,"",()=>({index:null}),e),
gr=e=>p("h2",{className:"ask",tabIndex:-1},e);
N.narrow=ad;
