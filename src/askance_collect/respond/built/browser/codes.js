var Je="0123456789ABCDEFGHJKMNPQRSTVWXYZ",
wt=e=>zt(e).toUpperCase().replace(/[\s-]/g,"").replace(/[IL]/g,"1").replace(/O/g,"0"),
uo=e=>e.replace(/(.{4})(?=.)/g,"$1-"),
Vt=()=>Object.assign(P("input","number away"),{type:"text",id:"code",dir:"ltr",autocomplete:"off"});
