var Cd=/^[\w-]{42}[AEIMQUYcgkosw048]E[\w-]{85}[AQgw]$/;
k({name:"seal",detect:({seal:e})=>e!==void 0,validate:({seal:e})=>p(D(e,Cd),"seal")});
var Hd={seal:/^[\w-]{42}[AEIMQUYcgkosw048]E[\w-]{85}[AQgw]$/};
y({name:"seal",shapes:Hd});
