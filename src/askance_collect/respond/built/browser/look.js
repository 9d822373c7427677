var lc={look:j({"colours?":j({light:/^#[0-9a-f]{6}$/,dark:/^#[0-9a-f]{6}$/}),"logo?":Co})};
function uc(e,{form:t,speech:n}){let r=t.look?.logo;r&&e.prepend(en(r,n,"logo"))}
y({name:"look",shapes:lc,wrap:{renderHeader:()=>uc}});
