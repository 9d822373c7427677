var Dl={saved:!0};
b({name:"saved",shapes:Dl,validate:({collector:e})=>w(e!=="","saved")});
