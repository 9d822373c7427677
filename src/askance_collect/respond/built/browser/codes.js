var De="0123456789ABCDEFGHJKMNPQRSTVWXYZ",
dt=e=>Rt(e).toUpperCase().replace(/[\s-]/g,"").replace(/[IL]/g,"1").replace(/O/g,"0"),
$r=e=>e.replace(/(.{4})(?=.)/g,"$1-"),
jt=()=>Object.assign(B("input","number away"),{type:"text",id:"code",dir:"ltr",autocomplete:"off"});
var We="0123456789ABCDEFGHJKMNPQRSTVWXYZ",
mt=e=>Mt(e).toUpperCase().replace(/[\s-]/g,"").replace(/[IL]/g,"1").replace(/O/g,"0"),
Mr=e=>e.replace(/(.{4})(?=.)/g,"$1-"),
Ut=()=>Object.assign(H("input","number away"),{type:"text",id:"code",dir:"ltr",autocomplete:"off"});
