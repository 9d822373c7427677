var Hl={saved:!0};
b({name:"saved",shapes:Hl,validate:({collector:e})=>w(e!=="","saved")});
