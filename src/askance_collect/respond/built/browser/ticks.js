var Mu={"ticks?":[2,6]},
Fs=({ticks:e})=>e!==void 0;
function Du({questions:e}){w(e.filter(Fs).every(({ticks:t,answers:n,groups:r})=>!r&&n.length===2**t),"ticks")}
function Uu(e,t,n,r){let{words:o}=r,s=M(),a=[...e.map((m,g)=>n>0&&!!(n>>g&1)),n===0,n===null].map(m=>Object.assign(p("input",{type:"checkbox",autocomplete:"off"}),{checked:m})),c=e.length;a.forEach((m,g)=>m.addEventListener("change",()=>{m.checked&&a.forEach((k,L)=>{k!==m&&(g>=c||L>=c)&&(k.checked=!1)})}));let d=o.tickAll(r.inside(t)),u=[...e,t].map((m,g)=>X(a[g],r.text(m)));return{node:ne([h(d,"hint"),...u,X(a[a.length-1],o.rather)],s),read:()=>{let m=a.map(({checked:g})=>g);if(!m.includes(!0))throw D(s,d,a[0]);return m.at(-1)?{index:null}:{index:m.slice(0,c).reduce((g,k,L)=>g+(k?2**L:0),0)}}}}
function Wu({ticks:e,answers:t,list:n},r,o,s){let i=n?.items??Array.from({length:e},(a,c)=>t[2**c].label);return Uu(i,n?.none??t[0].label,o?.index,s)}
N.ticks=Wu,Object.assign(H.table[0],Mu),b({name:"ticks",detect:({questions:e})=>e.some(Fs),validate:Du});
