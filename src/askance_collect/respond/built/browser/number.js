var pd={...ne,line:Zn},
md=1e5;
function hd({line:e}){let[t,n]=W(e.step);return xt(e)&&(!e.whole||t===n)}
function gd({line:e},t){let{words:n}=t,r=[Ae(e),e.ticks].map(s=>Ee(e,_(e,s),t));return e.step==="1"&&pe(W(e.lower))?n.typeWholeRange(...r):n.typeRange(...r,Qn(e,t))}
function wd(e,t){let[n,r]=Gn(e,t),o=Number(n/r);return n%r===0n&&o>=Ae(e)&&o<=e.ticks?o:void 0}
A.number={maxLength:({line:e})=>Math.max(4,`${e.ticks}`.length),isValid:({line:e},t)=>C(t,e.ticks+1),encode:(e,t)=>dt(e,t,e.line.ticks+1,Ae(e.line)),label:({line:e},t,n)=>kt(e,t,n)},H.number=[pd,hd],b({name:"long numbers",detect:({questions:e})=>e.some(({kind:t,line:n})=>t==="number"&&n.ticks>md)}),T.number=(...[e,t,n,r])=>yr(e,t,n,r,{locate:wd,outOfRangeText:gd});
