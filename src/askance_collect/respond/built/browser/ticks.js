var ul=6,
Wo=({ticks:e})=>e!==void 0;
function fl({questions:e}){for(let{kind:t,ticks:n,answers:r,groups:o}of e.filter(Wo))p(t==="table"&&y(n,ul+1)&&n>1&&o===void 0&&r.length===2**n,"ticks")}
function pl(e,t,n,r,o){let{words:s}=o,i=H(),c=[...t.map((w,S)=>r>0&&!!(r>>S&1)),r===0,r===null].map(w=>Object.assign(m("input",{type:"checkbox",autocomplete:"off"}),{checked:w})),d=t.length;c.forEach((w,S)=>w.addEventListener("change",()=>{w.checked&&c.forEach((N,v)=>{N!==w&&(S>=d||v>=d)&&(N.checked=!1)})}));let u=s.tickAll(o.inside(n)),l=[...t,n].map((w,S)=>Z(c[S],o.text(w)));return{node:q({text:e},o,[h(u,"hint"),...l,Z(c[c.length-1],s.rather)],i),read:()=>{let w=c.map(({checked:S})=>S);if(!w.includes(!0))throw W(i,u,c[0]);return w.at(-1)?{index:null}:{index:w.slice(0,d).reduce((S,N,v)=>S+(N?2**v:0),0)}}}}
function ml({text:e,ticks:t,answers:n,list:r},o,s,i){let a=r?.items??Array.from({length:t},(c,d)=>n[2**d].label);return pl(e,a,r?.none??n[0].label,s?.index,i)}
I.ticks=ml,k({name:"ticks",detect:({questions:e})=>e.some(Wo),validate:fl});
var bl={"ticks?":[2,6]},
ts=({ticks:e})=>e!==void 0;
function yl({questions:e}){b(e.filter(ts).every(({ticks:t,answers:n,groups:r})=>!r&&n.length===2**t),"ticks")}
function kl(e,t,n,r,o){let{words:s}=o,i=P(),c=[...t.map((g,S)=>r>0&&!!(r>>S&1)),r===0,r===null].map(g=>Object.assign(p("input",{type:"checkbox",autocomplete:"off"}),{checked:g})),d=t.length;c.forEach((g,S)=>g.addEventListener("change",()=>{g.checked&&c.forEach((L,R)=>{L!==g&&(S>=d||R>=d)&&(L.checked=!1)})}));let u=s.tickAll(o.inside(n)),l=[...t,n].map((g,S)=>Q(c[S],o.text(g)));return{node:q({text:e},o,[m(u,"hint"),...l,Q(c[c.length-1],s.rather)],i),read:()=>{let g=c.map(({checked:S})=>S);if(!g.includes(!0))throw U(i,u,c[0]);return g.at(-1)?{index:null}:{index:g.slice(0,d).reduce((S,L,R)=>S+(L?2**R:0),0)}}}}
function xl({text:e,ticks:t,answers:n,list:r},o,s,i){let a=r?.items??Array.from({length:t},(c,d)=>n[2**d].label);return kl(e,a,r?.none??n[0].label,s?.index,i)}
T.ticks=xl,Object.assign(F.table[0],bl),y({name:"ticks",detect:({questions:e})=>e.some(ts),validate:yl});
