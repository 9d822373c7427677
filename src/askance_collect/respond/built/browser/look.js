var wc={look:B({"colours?":B({light:/^#[0-9a-f]{6}$/,dark:/^#[0-9a-f]{6}$/}),"logo?":Bo})};
function bc(e,{form:t,speech:n}){let r=t.look?.logo;r&&e.prepend(nn(r,n,"logo"))}
k({name:"look",shapes:wc,wrap:{renderHeader:()=>bc}});
var hc={look:j({"colours?":j({light:/^#[0-9a-f]{6}$/,dark:/^#[0-9a-f]{6}$/}),"logo?":vo})};
function gc(e,{form:t,speech:n}){let r=t.look?.logo;r&&e.prepend(en(r,n,"logo"))}
y({name:"look",shapes:hc,wrap:{renderHeader:()=>gc}});
