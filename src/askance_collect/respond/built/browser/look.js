var ed={look:B({"colours?":B({light:/^#[0-9a-f]{6}$/,dark:/^#[0-9a-f]{6}$/}),"logo?":zo})};
function td(e,{form:t,speech:n}){let r=t.look?.logo;r&&e.prepend(cn(r,n,"logo"))}
b({name:"look",shapes:ed,wrap:{renderHeader:()=>td}});
