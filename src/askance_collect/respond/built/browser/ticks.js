var ul=6,
Wo=({ticks:e})=>e!==void 0;
function fl({questions:e}){for(let{kind:t,ticks:n,answers:r,groups:o}of e.filter(Wo))p(t==="table"&&y(n,ul+1)&&n>1&&o===void 0&&r.length===2**n,"ticks")}
function pl(e,t,n,r,o){let{words:s}=o,i=H(),c=[...t.map((w,S)=>r>0&&!!(r>>S&1)),r===0,r===null].map(w=>Object.assign(m("input",{type:"checkbox",autocomplete:"off"}),{checked:w})),d=t.length;c.forEach((w,S)=>w.addEventListener("change",()=>{w.checked&&c.forEach((N,v)=>{N!==w&&(S>=d||v>=d)&&(N.checked=!1)})}));let u=s.tickAll(o.inside(n)),l=[...t,n].map((w,S)=>Z(c[S],o.text(w)));return{node:q({text:e},o,[h(u,"hint"),...l,Z(c[c.length-1],s.rather)],i),read:()=>{let w=c.map(({checked:S})=>S);if(!w.includes(!0))throw W(i,u,c[0]);return w.at(-1)?{index:null}:{index:w.slice(0,d).reduce((S,N,v)=>S+(N?2**v:0),0)}}}}
function ml({text:e,ticks:t,answers:n,list:r},o,s,i){let a=r?.items??Array.from({length:t},(c,d)=>n[2**d].label);return pl(e,a,r?.none??n[0].label,s?.index,i)}
I.ticks=ml,k({name:"ticks",detect:({questions:e})=>e.some(Wo),validate:fl});
