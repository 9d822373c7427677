var Sc={look:j({"colours?":j({light:/^#[0-9a-f]{6}$/,dark:/^#[0-9a-f]{6}$/}),"logo?":Bo})};
function Oc(e,{form:t,speech:n}){let r=t.look?.logo;r&&e.prepend(nn(r,n,"logo"))}
y({name:"look",shapes:Sc,wrap:{renderHeader:()=>Oc}});
