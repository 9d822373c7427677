function Bo(e,t,n){let{words:r}=n,o=ke(t?.typed!==void 0),s=Ho(e,n),i=(l,f)=>{let m=qe(l,f);return he(e).some(([g,k])=>m!==void 0&&g<=m&&m<k)?m:void 0},a={label:r.exactNumber,locate:i,outOfRangeText:r.typeExact(s)},{row:c,status:d,read:u}=qt(e,t,n,a);return c.className+=" revealed",{radio:o,nodes:[Y(o,Qn(s,n),r.sentExactly),c,d],read:u}}
function Fa(e,t,n){let r=he(e);if(r.length===0)return{};let o=Bo(e,t,n);return{[r[r.length-1][0]===0?"before":"after"]:o.nodes,exact:o}}
function Ma(e,t){let{line:n}=e,{words:r}=t;if(he(e).length===0)return[];let o=n.step==="1"?"":r.inSteps(Xt(n,t));return[r.exactly(Ho(e,t),o)]}
function Ho(e,t){return he(e).map(r=>Zt(e.line,r,t)).join(t.words.or)}
function Po(e,[t,n]){return he(e).some(([r,o])=>r<=t&&n<=o&&t<n)}
function Da(e,t){return e.some(r=>he(r).length>0)?{line:t.cardExact,hidden:t.cardHiddenElse}:{}}
var Ua=(e,t,n)=>Po(e,t)?n.exactHint:void 0;
S.cuts.isExact=S.ring.isExact=Po,Object.assign(T,{exact:Bo,besideRanges:Fa}),Object.assign(z,{exact:Ma,exactCard:Da,exactHint:Ua});
