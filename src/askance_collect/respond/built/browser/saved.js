var Jd={saved:!0};
y({name:"saved",shapes:Jd,validate:({collector:e})=>b(e!=="","saved")});
