var nl={saved:!0};
k({name:"saved",shapes:nl,validate:({collector:e})=>w(e!=="","saved")});
var el={saved:!0};
y({name:"saved",shapes:el,validate:({collector:e})=>b(e!=="","saved")});
