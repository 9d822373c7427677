var LETTERS="0123456789ABCDEFGHJKMNPQRSTVWXYZ",
codeIn=e=>inAscii(e).toUpperCase().replace(/[\s-]/g,"").replace(/[IL]/g,"1").replace(/O/g,"0"),
spaced=e=>e.replace(/(.{4})(?=.)/g,"$1-"),
codeInput=()=>Object.assign(privateElement("input","number away"),{type:"text",id:"code",dir:"ltr",autocomplete:"off"});
