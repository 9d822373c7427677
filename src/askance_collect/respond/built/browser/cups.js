function practiceNumber({words:t,language:e}){const c={lower:"0",step:"1",ticks:8,unit:{[e]:t.practiceUnit}};return{kind:"cuts",name:"practice",text:{[e]:t.practiceNumber},line:c,cuts:{number:1,weights:[1,1,1,1,1,1,1],floor:null,open:[]},ask:"cells",typed:!1,blank:[0,1]}}
fieldTypes.practice=practiceNumber;
