var Ka=1e12;
function Ga({line:e},t,n){$t(e,t,`${n}.line`,Ka);let[r,o]=G(e.step)??[0n,1n];p(e.whole===void 0||r===o,`${n}.line.step`)}
function za({line:e},t){let{words:n}=t,r=[le(e),e.ticks].map(s=>pe(e,_(e,s),t));return e.step==="1"&&oe(G(e.lower)??[1n,2n])?n.typeWholeRange(...r):n.typeRange(...r,yn(e,t))}
function Va(e,t){let[n,r]=on(e,t),o=Number(n/r);return n%r===0n&&o>=le(e)&&o<=e.ticks?o:void 0}
T.number={maxLength:({line:e})=>Math.max(4,`${e.ticks}`.length),isValid:({line:e},t)=>y(t,e.ticks+1),encode:(e,t)=>Qe(e,t,e.line.ticks+1,le(e.line)),label:({line:e},t,n)=>dt(e,t,n)},ue.number=Ga,k({name:"long numbers",detect:({questions:e})=>e.some(({kind:t,line:n})=>t==="number"&&n.ticks>sn)}),I.number=(...[e,t,n,r])=>Rn(e,t,n,r,{locate:Va,outOfRangeText:za});
