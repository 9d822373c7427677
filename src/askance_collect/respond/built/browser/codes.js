var Me="0123456789ABCDEFGHJKMNPQRSTVWXYZ",
ct=e=>vt(e).toUpperCase().replace(/[\s-]/g,"").replace(/[IL]/g,"1").replace(/O/g,"0"),
Tr=e=>e.replace(/(.{4})(?=.)/g,"$1-"),
Rt=()=>Object.assign(B("input","number away"),{type:"text",id:"code",dir:"ltr",autocomplete:"off"});
