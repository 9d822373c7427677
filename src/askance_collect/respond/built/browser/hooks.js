var x={validateGroups:()=>!1,validateCoin:()=>!1,resolveQuestion:e=>e,resolveForm:e=>e,placeDraws:(e,t)=>t,defaultAnswer:()=>null,arrangeSteps:e=>e,nextStep:(e,t)=>t,redirectMove:e=>e,openVisit(){},renderConsent:e=>e,renderHints:()=>[],renderCoin:()=>{},renderAnswers:e=>e,renderSubmit:()=>{},wrapRecords:e=>e,stamp:()=>"",renderHeader(){},updateHeader(){},renderEnding:e=>e},
an=[];
function k({wrap:e={},...t}){let n=x;an.push(t);for(let[r,o]of Object.entries(e))n[r]=o(n[r])}
