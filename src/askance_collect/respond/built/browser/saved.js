var vd={saved:!0};
y({name:"saved",shapes:vd,validate:({collector:e})=>b(e!=="","saved")});
