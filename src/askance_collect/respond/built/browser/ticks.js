var Gl={"ticks?":[2,6]},
ks=({ticks:e})=>e!==void 0;
function zl({questions:e}){w(e.filter(ks).every(({ticks:t,answers:n,groups:r})=>!r&&n.length===2**t),"ticks")}
function Vl(e,t,n,r){let{words:o}=r,s=F(),a=[...e.map((m,g)=>n>0&&!!(n>>g&1)),n===0,n===null].map(m=>Object.assign(p("input",{type:"checkbox",autocomplete:"off"}),{checked:m})),c=e.length;a.forEach((m,g)=>m.addEventListener("change",()=>{m.checked&&a.forEach((y,T)=>{y!==m&&(g>=c||T>=c)&&(y.checked=!1)})}));let d=o.tickAll(r.inside(t)),u=[...e,t].map((m,g)=>J(a[g],r.text(m)));return{node:Y([h(d,"hint"),...u,J(a[a.length-1],o.rather)],s),read:()=>{let m=a.map(({checked:g})=>g);if(!m.includes(!0))throw D(s,d,a[0]);return m.at(-1)?{index:null}:{index:m.slice(0,c).reduce((g,y,T)=>g+(y?2**T:0),0)}}}}
function Ql({ticks:e,answers:t,list:n},r,o,s){let i=n?.items??Array.from({length:e},(a,c)=>t[2**c].label);return Vl(i,n?.none??t[0].label,o?.index,s)}
L.ticks=Ql,Object.assign(M.table[0],Gl),k({name:"ticks",detect:({questions:e})=>e.some(ks),validate:zl});
var Kl={"ticks?":[2,6]},
ws=({ticks:e})=>e!==void 0;
function _l({questions:e}){b(e.filter(ws).every(({ticks:t,answers:n,groups:r})=>!r&&n.length===2**t),"ticks")}
function Gl(e,t,n,r){let{words:o}=r,s=P(),a=[...e.map((p,g)=>n>0&&!!(n>>g&1)),n===0,n===null].map(p=>Object.assign(m("input",{type:"checkbox",autocomplete:"off"}),{checked:p})),c=e.length;a.forEach((p,g)=>p.addEventListener("change",()=>{p.checked&&a.forEach((k,I)=>{k!==p&&(g>=c||I>=c)&&(k.checked=!1)})}));let d=o.tickAll(r.inside(t)),u=[...e,t].map((p,g)=>J(a[g],r.text(p)));return{node:Y([h(d,"hint"),...u,J(a[a.length-1],o.rather)],s),read:()=>{let p=a.map(({checked:g})=>g);if(!p.includes(!0))throw D(s,d,a[0]);return p.at(-1)?{index:null}:{index:p.slice(0,c).reduce((g,k,I)=>g+(k?2**I:0),0)}}}}
function zl({ticks:e,answers:t,list:n},r,o,s){let i=n?.items??Array.from({length:e},(a,c)=>t[2**c].label);return Gl(i,n?.none??t[0].label,o?.index,s)}
L.ticks=zl,Object.assign(U.table[0],Kl),y({name:"ticks",detect:({questions:e})=>e.some(ws),validate:_l});
