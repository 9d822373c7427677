var nl=6,
Po=({ticks:e})=>e!==void 0;
function rl({questions:e}){for(let{kind:t,ticks:n,answers:r,groups:o}of e.filter(Po))p(t==="table"&&y(n,nl+1)&&n>1&&o===void 0&&r.length===2**n,"ticks")}
function ol(e,t,n,r,o){let{words:s}=o,i=H(),c=[...t.map((w,O)=>r>0&&!!(r>>O&1)),r===0,r===null].map(w=>Object.assign(m("input",{type:"checkbox",autocomplete:"off"}),{checked:w})),d=t.length;c.forEach((w,O)=>w.addEventListener("change",()=>{w.checked&&c.forEach((N,v)=>{N!==w&&(O>=d||v>=d)&&(N.checked=!1)})}));let u=s.tickAll(o.inside(n)),l=[...t,n].map((w,O)=>J(c[O],o.text(w)));return{node:q({text:e},o,[h(u,"hint"),...l,J(c[c.length-1],s.rather)],i),read:()=>{let w=c.map(({checked:O})=>O);if(!w.includes(!0))throw W(i,u,c[0]);return w.at(-1)?{index:null}:{index:w.slice(0,d).reduce((O,N,v)=>O+(N?2**v:0),0)}}}}
function sl({text:e,ticks:t,answers:n,list:r},o,s,i){let a=r?.items??Array.from({length:t},(c,d)=>n[2**d].label);return ol(e,a,r?.none??n[0].label,s?.index,i)}
I.ticks=sl,k({name:"ticks",detect:({questions:e})=>e.some(Po),validate:rl});
