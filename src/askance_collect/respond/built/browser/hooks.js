var x={resolveQuestion:e=>e,resolveForm:e=>e,placeDraws:(e,t)=>t,defaultAnswer:()=>null,arrangeSteps:e=>e,arrangeRoute:e=>e,nextStep:(e,t)=>t,isRecorded:()=>!0,redirectMove:e=>e,openVisit(){},renderConsent:e=>e,renderHints:()=>[],renderCoin:()=>{},renderAnswers:e=>e,renderSubmit:()=>{},wrapRecords:e=>e,stamp:()=>"",renderHeader(){},updateHeader(){},renderEnding:e=>e},
Tn=[];
function b({wrap:e={},shapes:t={},detect:n=o=>Object.keys(t).some(s=>s in o),...r}){let o=x;Tn.push({shapes:t,detect:n,...r});for(let[s,i]of Object.entries(e))o[s]=i(o[s])}
