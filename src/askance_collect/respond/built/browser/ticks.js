var Ql={"ticks?":[2,6]},
ks=({ticks:e})=>e!==void 0;
function Jl({questions:e}){w(e.filter(ks).every(({ticks:t,answers:n,groups:r})=>!r&&n.length===2**t),"ticks")}
function Zl(e,t,n,r){let{words:o}=r,s=D(),a=[...e.map((p,g)=>n>0&&!!(n>>g&1)),n===0,n===null].map(p=>Object.assign(m("input",{type:"checkbox",autocomplete:"off"}),{checked:p})),c=e.length;a.forEach((p,g)=>p.addEventListener("change",()=>{p.checked&&a.forEach((y,L)=>{y!==p&&(g>=c||L>=c)&&(y.checked=!1)})}));let d=o.tickAll(r.inside(t)),u=[...e,t].map((p,g)=>J(a[g],r.text(p)));return{node:q([h(d,"hint"),...u,J(a[a.length-1],o.rather)],s),read:()=>{let p=a.map(({checked:g})=>g);if(!p.includes(!0))throw F(s,d,a[0]);return p.at(-1)?{index:null}:{index:p.slice(0,c).reduce((g,y,L)=>g+(y?2**L:0),0)}}}}
function Xl({ticks:e,answers:t,list:n},r,o,s){let i=n?.items??Array.from({length:e},(a,c)=>t[2**c].label);return Zl(i,n?.none??t[0].label,o?.index,s)}
I.ticks=Xl,Object.assign(M.table[0],Ql),k({name:"ticks",detect:({questions:e})=>e.some(ks),validate:Jl});
