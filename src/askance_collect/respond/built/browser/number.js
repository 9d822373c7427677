var Rc={...be,line:Kn},
jc=1e5;
function vc({line:e}){let[t,n]=W(e.step);return yt(e)&&(!e.whole||t===n)}
function Bc({line:e},t){let{words:n}=t,r=[ke(e),e.ticks].map(s=>xe(e,K(e,s),t));return e.step==="1"&&de(W(e.lower))?n.typeWholeRange(...r):n.typeRange(...r,Un(e,t))}
function Hc(e,t){let[n,r]=Dn(e,t),o=Number(n/r);return n%r===0n&&o>=ke(e)&&o<=e.ticks?o:void 0}
O.number={maxLength:({line:e})=>Math.max(4,`${e.ticks}`.length),isValid:({line:e},t)=>C(t,e.ticks+1),encode:(e,t)=>it(e,t,e.line.ticks+1,ke(e.line)),label:({line:e},t,n)=>bt(e,t,n)},M.number=[Rc,vc],k({name:"long numbers",detect:({questions:e})=>e.some(({kind:t,line:n})=>t==="number"&&n.ticks>jc)}),I.number=(...[e,t,n,r])=>ar(e,t,n,r,{locate:Hc,outOfRangeText:Bc});
