var Xl={"ticks?":[2,6]},
ks=({ticks:e})=>e!==void 0;
function Yl({questions:e}){w(e.filter(ks).every(({ticks:t,answers:n,groups:r})=>!r&&n.length===2**t),"ticks")}
function ql(e,t,n,r){let{words:o}=r,s=D(),a=[...e.map((p,g)=>n>0&&!!(n>>g&1)),n===0,n===null].map(p=>Object.assign(m("input",{type:"checkbox",autocomplete:"off"}),{checked:p})),c=e.length;a.forEach((p,g)=>p.addEventListener("change",()=>{p.checked&&a.forEach((k,L)=>{k!==p&&(g>=c||L>=c)&&(k.checked=!1)})}));let d=o.tickAll(r.inside(t)),u=[...e,t].map((p,g)=>J(a[g],r.text(p)));return{node:q([h(d,"hint"),...u,J(a[a.length-1],o.rather)],s),read:()=>{let p=a.map(({checked:g})=>g);if(!p.includes(!0))throw F(s,d,a[0]);return p.at(-1)?{index:null}:{index:p.slice(0,c).reduce((g,k,L)=>g+(k?2**L:0),0)}}}}
function eu({ticks:e,answers:t,list:n},r,o,s){let i=n?.items??Array.from({length:e},(a,c)=>t[2**c].label);return ql(i,n?.none??t[0].label,o?.index,s)}
I.ticks=eu,Object.assign(M.table[0],Xl),y({name:"ticks",detect:({questions:e})=>e.some(ks),validate:Yl});
