var sl={saved:!0};
k({name:"saved",shapes:sl,validate:({collector:e})=>w(e!=="","saved")});
