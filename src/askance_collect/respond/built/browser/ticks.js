var Ll={"ticks?":[2,6]},
is=({ticks:e})=>e!==void 0;
function Il({questions:e}){b(e.filter(is).every(({ticks:t,answers:n,groups:r})=>!r&&n.length===2**t),"ticks")}
function Cl(e,t,n,r,o){let{words:s}=o,i=P(),c=[...t.map((g,k)=>r>0&&!!(r>>k&1)),r===0,r===null].map(g=>Object.assign(p("input",{type:"checkbox",autocomplete:"off"}),{checked:g})),d=t.length;c.forEach((g,k)=>g.addEventListener("change",()=>{g.checked&&c.forEach((L,R)=>{L!==g&&(k>=d||R>=d)&&(L.checked=!1)})}));let u=s.tickAll(o.inside(n)),l=[...t,n].map((g,k)=>J(c[k],o.text(g)));return{node:q({text:e},o,[m(u,"hint"),...l,J(c[c.length-1],s.rather)],i),read:()=>{let g=c.map(({checked:k})=>k);if(!g.includes(!0))throw U(i,u,c[0]);return g.at(-1)?{index:null}:{index:g.slice(0,d).reduce((k,L,R)=>k+(L?2**R:0),0)}}}}
function $l({text:e,ticks:t,answers:n,list:r},o,s,i){let a=r?.items??Array.from({length:t},(c,d)=>n[2**d].label);return Cl(e,a,r?.none??n[0].label,s?.index,i)}
T.ticks=$l,Object.assign(M.table[0],Ll),y({name:"ticks",detect:({questions:e})=>e.some(is),validate:Il});
