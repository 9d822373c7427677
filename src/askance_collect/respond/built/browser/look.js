var cc={look:v({"colours?":v({light:/^#[0-9a-f]{6}$/,dark:/^#[0-9a-f]{6}$/}),"logo?":So})};
function dc(e,{form:t,speech:n}){let r=t.look?.logo;r&&e.prepend(en(r,n,"logo"))}
y({name:"look",shapes:cc,wrap:{renderHeader:()=>dc}});
