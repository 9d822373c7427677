var SEAL=/^[\w-]{42}[AEIMQUYcgkosw048]E[\w-]{85}[AQgw]$/;
register({name:"seal",detect:({seal:e})=>e!==void 0,validate:({seal:e})=>assert(matches(e,SEAL),"seal")});
