var rl={seal:/^[\w-]{42}[AEIMQUYcgkosw048]E[\w-]{85}[AQgw]$/};
k({name:"seal",shapes:rl});
var tl={seal:/^[\w-]{42}[AEIMQUYcgkosw048]E[\w-]{85}[AQgw]$/};
y({name:"seal",shapes:tl});
