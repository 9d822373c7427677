var Ve="0123456789ABCDEFGHJKMNPQRSTVWXYZ",
gt=e=>_t(e).toUpperCase().replace(/[\s-]/g,"").replace(/[IL]/g,"1").replace(/O/g,"0"),
eo=e=>e.replace(/(.{4})(?=.)/g,"$1-"),
Gt=()=>Object.assign(P("input","number away"),{type:"text",id:"code",dir:"ltr",autocomplete:"off"});
var Ge="0123456789ABCDEFGHJKMNPQRSTVWXYZ",
ht=e=>Wt(e).toUpperCase().replace(/[\s-]/g,"").replace(/[IL]/g,"1").replace(/O/g,"0"),
eo=e=>e.replace(/(.{4})(?=.)/g,"$1-"),
Kt=()=>Object.assign(H("input","number away"),{type:"text",id:"code",dir:"ltr",autocomplete:"off"});
