var MOST_NUMBERS=1e12;
function checkNumber({line:e},t,n){checkLine(e,t,`${n}.line`,MOST_NUMBERS);const[s,i]=fraction(e.step)??[0n,1n];assert(e.whole===void 0||s===i,`${n}.line.step`)}
function rangeWords({line:e},t){const{words:n}=t,s=[firstTick(e),e.ticks].map(o=>shown(e,numberAt(e,o),t));return e.step==="1"&&isInteger(fraction(e.lower)??[1n,2n])?n.typeWholeRange(...s):n.typeRange(...s,stepLabel(e,t))}
function tickOf(e,t){const[n,s]=stepsAbove(e,t),i=Number(n/s);return n%s===0n&&i>=firstTick(e)&&i<=e.ticks?i:void 0}
questionKinds.number={maxLength:({line:e})=>Math.max(4,`${e.ticks}`.length),isValid:({line:e},t)=>isIndex(t,e.ticks+1),encode:(e,t)=>checked(e,t,e.line.ticks+1,firstTick(e.line)),label:({line:e},t,n)=>tickLabel(e,t,n)},validators.number=checkNumber,register({name:"long numbers",detect:({questions:e})=>e.some(({kind:t,line:n})=>t==="number"&&n.ticks>MOST_TICKS)}),fieldTypes.number=(...[e,t,n,s])=>typedField(e,t,n,s,{locate:tickOf,outOfRangeText:rangeWords});
