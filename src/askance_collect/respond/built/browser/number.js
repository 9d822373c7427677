var xc={...we,line:Pn},
Sc=1e5;
function Oc({line:e}){let[t,n]=W(e.step);return yt(e)&&(!e.whole||t===n)}
function Ac({line:e},t){let{words:n}=t,r=[ke(e),e.ticks].map(s=>xe(e,K(e,s),t));return e.step==="1"&&ce(W(e.lower))?n.typeWholeRange(...r):n.typeRange(...r,Bn(e,t))}
function Ec(e,t){let[n,r]=jn(e,t),o=Number(n/r);return n%r===0n&&o>=ke(e)&&o<=e.ticks?o:void 0}
A.number={maxLength:({line:e})=>Math.max(4,`${e.ticks}`.length),isValid:({line:e},t)=>$(t,e.ticks+1),encode:(e,t)=>nt(e,t,e.line.ticks+1,ke(e.line)),label:({line:e},t,n)=>bt(e,t,n)},M.number=[xc,Oc],y({name:"long numbers",detect:({questions:e})=>e.some(({kind:t,line:n})=>t==="number"&&n.ticks>Sc)}),T.number=(...[e,t,n,r])=>tr(e,t,n,r,{locate:Ec,outOfRangeText:Ac});
