var cl={saved:!0};
y({name:"saved",shapes:cl,validate:({collector:e})=>w(e!=="","saved")});
