var Nc={...we,line:Mn},
Tc=1e5;
function Lc({line:e}){let[t,n]=W(e.step);return bt(e)&&(!e.whole||t===n)}
function Ic({line:e},t){let{words:n}=t,r=[ye(e),e.ticks].map(s=>ke(e,K(e,s),t));return e.step==="1"&&de(W(e.lower))?n.typeWholeRange(...r):n.typeRange(...r,Fn(e,t))}
function Cc(e,t){let[n,r]=Hn(e,t),o=Number(n/r);return n%r===0n&&o>=ye(e)&&o<=e.ticks?o:void 0}
A.number={maxLength:({line:e})=>Math.max(4,`${e.ticks}`.length),isValid:({line:e},t)=>$(t,e.ticks+1),encode:(e,t)=>rt(e,t,e.line.ticks+1,ye(e.line)),label:({line:e},t,n)=>wt(e,t,n)},M.number=[Nc,Lc],y({name:"long numbers",detect:({questions:e})=>e.some(({kind:t,line:n})=>t==="number"&&n.ticks>Tc)}),T.number=(...[e,t,n,r])=>or(e,t,n,r,{locate:Cc,outOfRangeText:Ic});
