var sd={look:R({"colours?":R({light:/^#[0-9a-f]{6}$/,dark:/^#[0-9a-f]{6}$/}),"logo?":Vo})};
function id(e,{form:t,speech:n}){let r=t.look?.logo;r&&e.prepend(ln(r,n,"logo"))}
b({name:"look",shapes:sd,wrap:{renderHeader:()=>id}});
