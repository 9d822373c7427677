var Cc={look:j({"colours?":j({light:/^#[0-9a-f]{6}$/,dark:/^#[0-9a-f]{6}$/}),"logo?":Fo})};
function Rc(e,{form:t,speech:n}){let r=t.look?.logo;r&&e.prepend(sn(r,n,"logo"))}
b({name:"look",shapes:Cc,wrap:{renderHeader:()=>Rc}});
