function vo(e,t,n){let{words:r}=n,o=ye(t?.typed!==void 0),s=Bo(e,n),i=(l,f)=>{let m=qe(l,f);return Ne(e).some(([g,k])=>m!==void 0&&g<=m&&m<k)?m:void 0},a={label:r.exactNumber,locate:i,outOfRangeText:r.typeExact(s)},{row:c,status:d,read:u}=qt(e,t,n,a);return c.className+=" revealed",{radio:o,nodes:[X(o,Qn(s,n),r.sentExactly),c,d],read:u}}
function Fa(e,t,n){let r=Ne(e);if(r.length===0)return{};let o=vo(e,t,n);return{[r[r.length-1][0]===0?"before":"after"]:o.nodes,exact:o}}
function Ma(e,t,n,r,[o,s,i]){let{radio:a,nodes:c,read:d}=vo(e,n,r),u=s(oe(e,[0,e.line.ticks],r),"",()=>{t.outside=!0}),l=i(n?.index===null,r);return{nodes:[o(r.words.where),u.node,...c,l.node],choices:[u,{control:a,take:d},l]}}
function Da(e,t){let{words:n}=t,{line:r}=e,o=Bo(e,t);return o?[n.exactly(o,r.step==="1"?"":n.inSteps(Xt(r,t)))]:[]}
function Bo(e,t){return Ne(e).map(r=>Zt(e.line,r,t)).join(t.words.or)}
function Ho(e,[t,n]){return Ne(e).some(([r,o])=>r<=t&&n<=o&&t<n)}
var{cardTexts:Ua,recordHint:Wa}=S.cuts;
Object.assign(S.cuts,{isExact:Ho,cardTexts(e,t){let{lines:n}=Ua(e,t);return e.some(r=>Ne(r).length>0)?{lines:[...n,t.cardExact],hidden:t.cardHiddenElse}:{lines:n}},recordHint:(e,t,n)=>Ho(e,t)?n.words.exactHint:Wa(e,t,n)}),Object.assign(N,{besideRanges:Fa,where:Ma}),ee.exact=Da;
