var COLOUR=/^#[0-9a-f]{6}$/;
function validateLook({look:e,languages:r}){const o={colours:areColours,logo:n=>isImage(n,r)},t=Object.keys(e??{});assert(t.length>0&&t.every(n=>Object.hasOwn(o,n)&&o[n](e[n])),"look")}
function areColours(e){return Object.keys(e??{}).length===2&&["light","dark"].every(o=>matches(e[o],COLOUR))}
function renderLogo(e,{form:r,speech:o}){const t=r.look?.logo;t&&e.prepend(shownImage(t,o,"logo"))}
register({name:"look",detect:({look:e})=>e!==void 0,validate:validateLook,wrap:{renderHeader:()=>renderLogo}});
