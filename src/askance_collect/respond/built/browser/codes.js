var Xe="0123456789ABCDEFGHJKMNPQRSTVWXYZ",
bt=e=>zt(e).toUpperCase().replace(/[\s-]/g,"").replace(/[IL]/g,"1").replace(/O/g,"0"),
uo=e=>e.replace(/(.{4})(?=.)/g,"$1-"),
Vt=()=>Object.assign(F("input","number away"),{type:"text",id:"code",dir:"ltr",autocomplete:"off"});
