var iu={"ticks?":[2,6]},
Ss=({ticks:e})=>e!==void 0;
function au({questions:e}){w(e.filter(Ss).every(({ticks:t,answers:n,groups:r})=>!r&&n.length===2**t),"ticks")}
function cu(e,t,n,r){let{words:o}=r,s=F(),a=[...e.map((m,g)=>n>0&&!!(n>>g&1)),n===0,n===null].map(m=>Object.assign(p("input",{type:"checkbox",autocomplete:"off"}),{checked:m})),c=e.length;a.forEach((m,g)=>m.addEventListener("change",()=>{m.checked&&a.forEach((k,N)=>{k!==m&&(g>=c||N>=c)&&(k.checked=!1)})}));let d=o.tickAll(r.inside(t)),u=[...e,t].map((m,g)=>X(a[g],r.text(m)));return{node:te([h(d,"hint"),...u,X(a[a.length-1],o.rather)],s),read:()=>{let m=a.map(({checked:g})=>g);if(!m.includes(!0))throw D(s,d,a[0]);return m.at(-1)?{index:null}:{index:m.slice(0,c).reduce((g,k,N)=>g+(k?2**N:0),0)}}}}
function du({ticks:e,answers:t,list:n},r,o,s){let i=n?.items??Array.from({length:e},(a,c)=>t[2**c].label);return cu(i,n?.none??t[0].label,o?.index,s)}
I.ticks=du,Object.assign(M.table[0],iu),b({name:"ticks",detect:({questions:e})=>e.some(Ss),validate:au});
