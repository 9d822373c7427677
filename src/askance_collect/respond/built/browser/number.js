var Qa=1e12;
function Ja({line:e},t,n){It(e,t,`${n}.line`,Qa);let[r,o]=_(e.step)??[0n,1n];p(e.whole===void 0||r===o,`${n}.line.step`)}
function Za({line:e},t){let{words:n}=t,r=[le(e),e.ticks].map(s=>pe(e,K(e,s),t));return e.step==="1"&&oe(_(e.lower)??[1n,2n])?n.typeWholeRange(...r):n.typeRange(...r,Sn(e,t))}
function Ya(e,t){let[n,r]=an(e,t),o=Number(n/r);return n%r===0n&&o>=le(e)&&o<=e.ticks?o:void 0}
E.number={maxLength:({line:e})=>Math.max(4,`${e.ticks}`.length),isValid:({line:e},t)=>y(t,e.ticks+1),encode:(e,t)=>Ze(e,t,e.line.ticks+1,le(e.line)),label:({line:e},t,n)=>ut(e,t,n)},ue.number=Ja,k({name:"long numbers",detect:({questions:e})=>e.some(({kind:t,line:n})=>t==="number"&&n.ticks>cn)}),I.number=(...[e,t,n,r])=>Hn(e,t,n,r,{locate:Ya,outOfRangeText:Za});
