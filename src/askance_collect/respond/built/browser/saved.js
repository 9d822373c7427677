register({name:"saved",detect:({saved:e})=>e!==void 0,validate:({saved:e,collector:a})=>assert(e===!0&&a!=="","saved")});
