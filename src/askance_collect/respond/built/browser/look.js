var Ia=/^#[0-9a-f]{6}$/;
function Na({look:e,languages:t}){let n={colours:Ca,logo:o=>Wt(o,t)},r=Object.keys(e??{});p(r.length>0&&r.every(o=>Object.hasOwn(n,o)&&n[o](e[o])),"look")}
function Ca(e){return Object.keys(e??{}).length===2&&["light","dark"].every(n=>D(e[n],Ia))}
function va(e,{form:t,speech:n}){let r=t.look?.logo;r&&e.prepend(_t(r,n,"logo"))}
k({name:"look",detect:({look:e})=>e!==void 0,validate:Na,wrap:{renderHeader:()=>va}});
