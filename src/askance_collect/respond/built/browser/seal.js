var Ul={seal:/^[\w-]{42}[AEIMQUYcgkosw048]E[\w-]{85}[AQgw]$/};
b({name:"seal",shapes:Ul});
