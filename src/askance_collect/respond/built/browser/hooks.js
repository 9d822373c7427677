var x={validateGroups:()=>!1,validateCoin:()=>!1,resolveQuestion:e=>e,resolveForm:e=>e,placeDraws:(e,t)=>t,defaultAnswer:()=>null,arrangeSteps:e=>e,nextStep:(e,t)=>t,redirectMove:e=>e,openVisit(){},renderConsent:e=>e,renderHints:()=>[],renderCoin:()=>{},renderAnswers:e=>e,renderSubmit:()=>{},wrapRecords:e=>e,stamp:()=>"",renderHeader(){},updateHeader(){},renderEnding:e=>e},
an=[];
function k({wrap:e={},...t}){let n=x;an.push(t);for(let[r,o]of Object.entries(e))n[r]=o(n[r])}
var k={resolveQuestion:e=>e,resolveForm:e=>e,placeDraws:(e,t)=>t,defaultAnswer:()=>null,arrangeSteps:e=>e,nextStep:(e,t)=>t,redirectMove:e=>e,openVisit(){},renderConsent:e=>e,renderHints:()=>[],renderCoin:()=>{},renderAnswers:e=>e,renderSubmit:()=>{},wrapRecords:e=>e,stamp:()=>"",renderHeader(){},updateHeader(){},renderEnding:e=>e},
hn=[];
function y({wrap:e={},shapes:t={},detect:n=o=>Object.keys(t).some(s=>s in o),...r}){let o=k;hn.push({shapes:t,detect:n,...r});for(let[s,i]of Object.entries(e))o[s]=i(o[s])}
