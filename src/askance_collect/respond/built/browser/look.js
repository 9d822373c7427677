var Wa=/^#[0-9a-f]{6}$/;
function _a({look:e,languages:t}){let n={colours:Ka,logo:o=>Kt(o,t)},r=Object.keys(e??{});p(r.length>0&&r.every(o=>Object.hasOwn(n,o)&&n[o](e[o])),"look")}
function Ka(e){return Object.keys(e??{}).length===2&&["light","dark"].every(n=>D(e[n],Wa))}
function Ga(e,{form:t,speech:n}){let r=t.look?.logo;r&&e.prepend(Gt(r,n,"logo"))}
k({name:"look",detect:({look:e})=>e!==void 0,validate:_a,wrap:{renderHeader:()=>Ga}});
var Ya={look:B({"colours?":B({light:/^#[0-9a-f]{6}$/,dark:/^#[0-9a-f]{6}$/}),"logo?":wo})};
function qa(e,{form:t,speech:n}){let r=t.look?.logo;r&&e.prepend(qt(r,n,"logo"))}
y({name:"look",shapes:Ya,wrap:{renderHeader:()=>qa}});
