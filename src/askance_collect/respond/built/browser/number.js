var wd={...re,line:Jn},
bd=1e5;
function yd({line:e}){let[t,n]=W(e.step);return xt(e)&&(!e.whole||t===n)}
function kd({line:e},t){let{words:n}=t,r=[Ae(e),e.ticks].map(s=>Ee(e,_(e,s),t));return e.step==="1"&&me(W(e.lower))?n.typeWholeRange(...r):n.typeRange(...r,Xt(e,t))}
function xd(e,t){let[n,r]=Vn(e,t),o=Number(n/r);return n%r===0n&&o>=Ae(e)&&o<=e.ticks?o:void 0}
S.number={maxLength:({line:e})=>Math.max(4,`${e.ticks}`.length),isValid:({line:e},t)=>C(t,e.ticks+1),encode:(e,t)=>dt(e,t,e.line.ticks+1,Ae(e.line)),label:({line:e},t,n)=>kt(e,t,n)},H.number=[wd,yd],b({name:"long numbers",detect:({questions:e})=>e.some(({kind:t,line:n})=>t==="number"&&n.ticks>bd)}),N.number=(...[e,t,n,r])=>wr(e,t,n,r,{locate:xd,outOfRangeText:kd});
