var pc={look:j({"colours?":j({light:/^#[0-9a-f]{6}$/,dark:/^#[0-9a-f]{6}$/}),"logo?":vo})};
function mc(e,{form:t,speech:n}){let r=t.look?.logo;r&&e.prepend(en(r,n,"logo"))}
y({name:"look",shapes:pc,wrap:{renderHeader:()=>mc}});
