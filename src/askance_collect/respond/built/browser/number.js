var _c={...ke,line:zn},
Gc=1e5;
function zc({line:e}){let[t,n]=W(e.step);return yt(e)&&(!e.whole||t===n)}
function Vc({line:e},t){let{words:n}=t,r=[Se(e),e.ticks].map(s=>Oe(e,K(e,s),t));return e.step==="1"&&le(W(e.lower))?n.typeWholeRange(...r):n.typeRange(...r,_n(e,t))}
function Qc(e,t){let[n,r]=Un(e,t),o=Number(n/r);return n%r===0n&&o>=Se(e)&&o<=e.ticks?o:void 0}
O.number={maxLength:({line:e})=>Math.max(4,`${e.ticks}`.length),isValid:({line:e},t)=>C(t,e.ticks+1),encode:(e,t)=>it(e,t,e.line.ticks+1,Se(e.line)),label:({line:e},t,n)=>bt(e,t,n)},M.number=[_c,zc],b({name:"long numbers",detect:({questions:e})=>e.some(({kind:t,line:n})=>t==="number"&&n.ticks>Gc)}),I.number=(...[e,t,n,r])=>dr(e,t,n,r,{locate:Qc,outOfRangeText:Vc});
