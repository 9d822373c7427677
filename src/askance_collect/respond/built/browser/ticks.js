var Ou={"ticks?":[2,6]},
js=({ticks:e})=>e!==void 0;
function Au({questions:e}){w(e.filter(js).every(({ticks:t,answers:n,groups:r})=>!r&&n.length===2**t),"ticks")}
function Eu(e,t,n,r){let{words:o}=r,s=F(),a=[...e.map((p,g)=>n>0&&!!(n>>g&1)),n===0,n===null].map(p=>Object.assign(m("input",{type:"checkbox",autocomplete:"off"}),{checked:p})),c=e.length;a.forEach((p,g)=>p.addEventListener("change",()=>{p.checked&&a.forEach((k,T)=>{k!==p&&(g>=c||T>=c)&&(k.checked=!1)})}));let d=o.tickAll(r.inside(t)),u=[...e,t].map((p,g)=>X(a[g],r.text(p)));return{node:te([h(d,"hint"),...u,X(a[a.length-1],o.rather)],s),read:()=>{let p=a.map(({checked:g})=>g);if(!p.includes(!0))throw D(s,d,a[0]);return p.at(-1)?{index:null}:{index:p.slice(0,c).reduce((g,k,T)=>g+(k?2**T:0),0)}}}}
function Nu({ticks:e,answers:t,list:n},r,o,s){let i=n?.items??Array.from({length:e},(a,c)=>t[2**c].label);return Eu(i,n?.none??t[0].label,o?.index,s)}
I.ticks=Nu,Object.assign(M.table[0],Ou),b({name:"ticks",detect:({questions:e})=>e.some(js),validate:Au});
