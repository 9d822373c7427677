var rc=1e12;
function oc({line:e},t,n){Nt(e,t,`${n}.line`,rc);let[r,o]=_(e.step)??[0n,1n];p(e.whole===void 0||r===o,`${n}.line.step`)}
function sc({line:e},t){let{words:n}=t,r=[fe(e),e.ticks].map(s=>ge(e,K(e,s),t));return e.step==="1"&&oe(_(e.lower)??[1n,2n])?n.typeWholeRange(...r):n.typeRange(...r,On(e,t))}
function ic(e,t){let[n,r]=cn(e,t),o=Number(n/r);return n%r===0n&&o>=fe(e)&&o<=e.ticks?o:void 0}
T.number={maxLength:({line:e})=>Math.max(4,`${e.ticks}`.length),isValid:({line:e},t)=>y(t,e.ticks+1),encode:(e,t)=>Ze(e,t,e.line.ticks+1,fe(e.line)),label:({line:e},t,n)=>ft(e,t,n)},pe.number=oc,k({name:"long numbers",detect:({questions:e})=>e.some(({kind:t,line:n})=>t==="number"&&n.ticks>dn)}),I.number=(...[e,t,n,r])=>Mn(e,t,n,r,{locate:ic,outOfRangeText:sc});
var uc={...he,line:Hn},
fc=1e5;
function pc({line:e}){let[t,n]=W(e.step);return bt(e)&&(!e.whole||t===n)}
function mc({line:e},t){let{words:n}=t,r=[we(e),e.ticks].map(s=>be(e,K(e,s),t));return e.step==="1"&&ie(W(e.lower))?n.typeWholeRange(...r):n.typeRange(...r,Bn(e,t))}
function hc(e,t){let[n,r]=Rn(e,t),o=Number(n/r);return n%r===0n&&o>=we(e)&&o<=e.ticks?o:void 0}
A.number={maxLength:({line:e})=>Math.max(4,`${e.ticks}`.length),isValid:({line:e},t)=>C(t,e.ticks+1),encode:(e,t)=>nt(e,t,e.line.ticks+1,we(e.line)),label:({line:e},t,n)=>wt(e,t,n)},F.number=[uc,pc],y({name:"long numbers",detect:({questions:e})=>e.some(({kind:t,line:n})=>t==="number"&&n.ticks>fc)}),T.number=(...[e,t,n,r])=>qn(e,t,n,r,{locate:hc,outOfRangeText:mc});
