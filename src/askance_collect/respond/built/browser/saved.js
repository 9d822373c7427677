var El={saved:!0};
b({name:"saved",shapes:El,validate:({collector:e})=>w(e!=="","saved")});
