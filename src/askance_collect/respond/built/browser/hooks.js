var hooks={validateGroups:()=>!1,validateCoin:()=>!1,resolveQuestion:e=>e,resolveForm:e=>e,placeDraws:(e,r)=>r,defaultAnswer:()=>null,arrangeSteps:e=>e,nextStep:(e,r)=>r,redirectMove:e=>e,openVisit(){},renderConsent:e=>e,renderHints:()=>[],renderCoin:()=>{},renderAnswers:e=>e,renderSubmit:()=>{},wrapRecords:e=>e,stamp:()=>"",renderHeader(){},updateHeader(){},renderEnding:e=>e},
features=[];
function register({wrap:e={},...r}){const n=hooks;features.push(r);for(const[s,o]of Object.entries(e))n[s]=o(n[s])}
