var Ra=/^#[0-9a-f]{6}$/;
function ja({look:e,languages:t}){let n={colours:Ba,logo:o=>_t(o,t)},r=Object.keys(e??{});p(r.length>0&&r.every(o=>Object.hasOwn(n,o)&&n[o](e[o])),"look")}
function Ba(e){return Object.keys(e??{}).length===2&&["light","dark"].every(n=>D(e[n],Ra))}
function Ha(e,{form:t,speech:n}){let r=t.look?.logo;r&&e.prepend(Kt(r,n,"logo"))}
k({name:"look",detect:({look:e})=>e!==void 0,validate:ja,wrap:{renderHeader:()=>Ha}});
