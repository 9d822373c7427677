var wl={saved:!0};
b({name:"saved",shapes:wl,validate:({collector:e})=>w(e!=="","saved")});
