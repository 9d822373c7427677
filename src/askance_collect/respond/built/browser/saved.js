var Ml={saved:!0};
b({name:"saved",shapes:Ml,validate:({collector:e})=>w(e!=="","saved")});
