var Oc={...be,line:Mn},
Ac=1e5;
function Ec({line:e}){let[t,n]=W(e.step);return bt(e)&&(!e.whole||t===n)}
function Nc({line:e},t){let{words:n}=t,r=[ke(e),e.ticks].map(s=>xe(e,K(e,s),t));return e.step==="1"&&de(W(e.lower))?n.typeWholeRange(...r):n.typeRange(...r,Fn(e,t))}
function Tc(e,t){let[n,r]=Hn(e,t),o=Number(n/r);return n%r===0n&&o>=ke(e)&&o<=e.ticks?o:void 0}
A.number={maxLength:({line:e})=>Math.max(4,`${e.ticks}`.length),isValid:({line:e},t)=>$(t,e.ticks+1),encode:(e,t)=>rt(e,t,e.line.ticks+1,ke(e.line)),label:({line:e},t,n)=>wt(e,t,n)},M.number=[Oc,Ec],y({name:"long numbers",detect:({questions:e})=>e.some(({kind:t,line:n})=>t==="number"&&n.ticks>Ac)}),T.number=(...[e,t,n,r])=>or(e,t,n,r,{locate:Tc,outOfRangeText:Nc});
