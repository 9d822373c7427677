var yc={look:v({"colours?":v({light:/^#[0-9a-f]{6}$/,dark:/^#[0-9a-f]{6}$/}),"logo?":Bo})};
function kc(e,{form:t,speech:n}){let r=t.look?.logo;r&&e.prepend(nn(r,n,"logo"))}
k({name:"look",shapes:yc,wrap:{renderHeader:()=>kc}});
