function na({words:e,language:t}){let n={lower:"0",step:"1",ticks:8,unit:{[t]:e.practiceUnit},one:{[t]:e.practiceUnitOne}};return{kind:"cuts",name:"practice",text:{[t]:e.practiceNumber},line:n,cuts:{number:1,weights:[1,1,1,1,1,1,1],floor:null,open:[]},ask:"cells",typed:!1,blank:[0,1]}}
N.practice=na;
