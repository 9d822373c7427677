var Qe="0123456789ABCDEFGHJKMNPQRSTVWXYZ",
gt=e=>_t(e).toUpperCase().replace(/[\s-]/g,"").replace(/[IL]/g,"1").replace(/O/g,"0"),
to=e=>e.replace(/(.{4})(?=.)/g,"$1-"),
Gt=()=>Object.assign(P("input","number away"),{type:"text",id:"code",dir:"ltr",autocomplete:"off"});
