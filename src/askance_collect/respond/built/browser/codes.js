var Ke="0123456789ABCDEFGHJKMNPQRSTVWXYZ",
ht=e=>Ut(e).toUpperCase().replace(/[\s-]/g,"").replace(/[IL]/g,"1").replace(/O/g,"0"),
Ur=e=>e.replace(/(.{4})(?=.)/g,"$1-"),
Wt=()=>Object.assign(H("input","number away"),{type:"text",id:"code",dir:"ltr",autocomplete:"off"});
