var Gd={saved:!0};
y({name:"saved",shapes:Gd,validate:({collector:e})=>b(e!=="","saved")});
