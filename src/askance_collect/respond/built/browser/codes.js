var Je="0123456789ABCDEFGHJKMNPQRSTVWXYZ",
gt=e=>Gt(e).toUpperCase().replace(/[\s-]/g,"").replace(/[IL]/g,"1").replace(/O/g,"0"),
ro=e=>e.replace(/(.{4})(?=.)/g,"$1-"),
zt=()=>Object.assign(P("input","number away"),{type:"text",id:"code",dir:"ltr",autocomplete:"off"});
