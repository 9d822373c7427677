var Yd={saved:!0};
y({name:"saved",shapes:Yd,validate:({collector:e})=>b(e!=="","saved")});
