var ol={saved:!0};
k({name:"saved",shapes:ol,validate:({collector:e})=>w(e!=="","saved")});
