var il={seal:/^[\w-]{42}[AEIMQUYcgkosw048]E[\w-]{85}[AQgw]$/};
k({name:"seal",shapes:il});
