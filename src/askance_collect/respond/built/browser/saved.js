var nl={saved:!0};
k({name:"saved",shapes:nl,validate:({collector:e})=>w(e!=="","saved")});
