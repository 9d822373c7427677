k({name:"saved",detect:({saved:e})=>e!==void 0,validate:({saved:e,collector:t})=>p(e===!0&&t!=="","saved")});
