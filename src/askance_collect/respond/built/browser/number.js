var Bc={...be,line:Kn},
Hc=1e5;
function Pc({line:e}){let[t,n]=W(e.step);return yt(e)&&(!e.whole||t===n)}
function Dc({line:e},t){let{words:n}=t,r=[ke(e),e.ticks].map(s=>xe(e,K(e,s),t));return e.step==="1"&&de(W(e.lower))?n.typeWholeRange(...r):n.typeRange(...r,Un(e,t))}
function Fc(e,t){let[n,r]=Dn(e,t),o=Number(n/r);return n%r===0n&&o>=ke(e)&&o<=e.ticks?o:void 0}
O.number={maxLength:({line:e})=>Math.max(4,`${e.ticks}`.length),isValid:({line:e},t)=>C(t,e.ticks+1),encode:(e,t)=>it(e,t,e.line.ticks+1,ke(e.line)),label:({line:e},t,n)=>bt(e,t,n)},M.number=[Bc,Pc],y({name:"long numbers",detect:({questions:e})=>e.some(({kind:t,line:n})=>t==="number"&&n.ticks>Hc)}),I.number=(...[e,t,n,r])=>ar(e,t,n,r,{locate:Fc,outOfRangeText:Dc});
