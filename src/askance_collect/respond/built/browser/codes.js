var He="0123456789ABCDEFGHJKMNPQRSTVWXYZ",
it=e=>Nt(e).toUpperCase().replace(/[\s-]/g,"").replace(/[IL]/g,"1").replace(/O/g,"0"),
Sr=e=>e.replace(/(.{4})(?=.)/g,"$1-"),
Ct=()=>Object.assign(B("input","number away"),{type:"text",id:"code",dir:"ltr",autocomplete:"off"});
