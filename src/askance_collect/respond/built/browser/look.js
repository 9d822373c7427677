var Mc={look:v({"colours?":v({light:/^#[0-9a-f]{6}$/,dark:/^#[0-9a-f]{6}$/}),"logo?":Ko})};
function Dc(e,{form:t,speech:n}){let r=t.look?.logo;r&&e.prepend(cn(r,n,"logo"))}
b({name:"look",shapes:Mc,wrap:{renderHeader:()=>Dc}});
