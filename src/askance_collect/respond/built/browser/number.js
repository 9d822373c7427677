var Yc={...ne,line:Jn},
qc=1e5;
function ed({line:e}){let[t,n]=W(e.step);return kt(e)&&(!e.whole||t===n)}
function td({line:e},t){let{words:n}=t,r=[Oe(e),e.ticks].map(s=>Ae(e,_(e,s),t));return e.step==="1"&&fe(W(e.lower))?n.typeWholeRange(...r):n.typeRange(...r,Vn(e,t))}
function nd(e,t){let[n,r]=Kn(e,t),o=Number(n/r);return n%r===0n&&o>=Oe(e)&&o<=e.ticks?o:void 0}
O.number={maxLength:({line:e})=>Math.max(4,`${e.ticks}`.length),isValid:({line:e},t)=>C(t,e.ticks+1),encode:(e,t)=>at(e,t,e.line.ticks+1,Oe(e.line)),label:({line:e},t,n)=>yt(e,t,n)},M.number=[Yc,ed],b({name:"long numbers",detect:({questions:e})=>e.some(({kind:t,line:n})=>t==="number"&&n.ticks>qc)}),I.number=(...[e,t,n,r])=>hr(e,t,n,r,{locate:nd,outOfRangeText:td});
