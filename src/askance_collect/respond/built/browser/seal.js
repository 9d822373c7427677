var dl={seal:/^[\w-]{42}[AEIMQUYcgkosw048]E[\w-]{85}[AQgw]$/};
y({name:"seal",shapes:dl});
