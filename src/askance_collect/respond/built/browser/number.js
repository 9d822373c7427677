var Cc={...we,line:Wn},
$c=1e5;
function Rc({line:e}){let[t,n]=W(e.step);return yt(e)&&(!e.whole||t===n)}
function vc({line:e},t){let{words:n}=t,r=[ye(e),e.ticks].map(s=>ke(e,K(e,s),t));return e.step==="1"&&de(W(e.lower))?n.typeWholeRange(...r):n.typeRange(...r,Mn(e,t))}
function jc(e,t){let[n,r]=Fn(e,t),o=Number(n/r);return n%r===0n&&o>=ye(e)&&o<=e.ticks?o:void 0}
O.number={maxLength:({line:e})=>Math.max(4,`${e.ticks}`.length),isValid:({line:e},t)=>$(t,e.ticks+1),encode:(e,t)=>st(e,t,e.line.ticks+1,ye(e.line)),label:({line:e},t,n)=>bt(e,t,n)},M.number=[Cc,Rc],k({name:"long numbers",detect:({questions:e})=>e.some(({kind:t,line:n})=>t==="number"&&n.ticks>$c)}),L.number=(...[e,t,n,r])=>ir(e,t,n,r,{locate:jc,outOfRangeText:vc});
var Lc={...be,line:Mn},
Ic=1e5;
function Cc({line:e}){let[t,n]=W(e.step);return bt(e)&&(!e.whole||t===n)}
function $c({line:e},t){let{words:n}=t,r=[ke(e),e.ticks].map(s=>xe(e,K(e,s),t));return e.step==="1"&&de(W(e.lower))?n.typeWholeRange(...r):n.typeRange(...r,Dn(e,t))}
function Rc(e,t){let[n,r]=Hn(e,t),o=Number(n/r);return n%r===0n&&o>=ke(e)&&o<=e.ticks?o:void 0}
A.number={maxLength:({line:e})=>Math.max(4,`${e.ticks}`.length),isValid:({line:e},t)=>$(t,e.ticks+1),encode:(e,t)=>rt(e,t,e.line.ticks+1,ke(e.line)),label:({line:e},t,n)=>wt(e,t,n)},U.number=[Lc,Cc],y({name:"long numbers",detect:({questions:e})=>e.some(({kind:t,line:n})=>t==="number"&&n.ticks>Ic)}),L.number=(...[e,t,n,r])=>sr(e,t,n,r,{locate:Rc,outOfRangeText:$c});
