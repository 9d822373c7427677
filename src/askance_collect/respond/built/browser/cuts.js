var ci=16,
di=null;
function li(e,t,n){let{line:r,cuts:o,ask:s}=e;Br(e,t,n),p(P(o)&&y(o.number,ci+1)&&o.number>0,`${n}.cuts`),Hr(o.weights,r,`${n}.cuts.weights`),fi(o.open,r,`${n}.cuts.open`),p(o.floor!==void 0,`${n}.cuts.floor`),p(s==="cells"||s==="narrow",`${n}.ask`),o.floor!==null&&pi(o,r,`${n}.cuts.floor`),p(s==="cells"||o.floor?.rule!=="withhold",`${n}.ask`)}
function ui(e,t,n){let{line:r,ring:o,ask:s}=e;Br(e,t,n),p(s==="cells",`${n}.ask`),p(P(o),`${n}.ring`),Hr(o.weights,r,`${n}.ring.weights`),Pr(o,r,`${n}.ring`);let i=C(re(o).map(a=>a.units));p(Re(i),`${n}.ring`)}
function Br({line:e,typed:t,blank:n,about:r},o,s){$t(e,o,`${s}.line`),dn(n,`${s}.blank`),p(r!==void 0&&typeof t=="boolean",s)}
function Hr(e,t,n){p(E(e)&&e.length===t.ticks-1&&e.every(ke),n),p(Re(C(e)),n)}
function fi(e,{ticks:t},n){p(E(e)&&e.every(o=>E(o)&&o.length===2),n);let r=e.flat();p(r.every((o,s)=>y(o,t+1)&&(s===0||o>r[s-1])),n),p(!(e.length===1&&r[0]===0&&r[1]===t),n)}
function Pr({sizes:e,least:t},{ticks:n},r){p(E(e)&&e.length===n&&e.every(ke),r),p(Re(C(e))&&ke(t)&&y(t-1,C(e)),r)}
function pi(e,t,n){let{floor:r,open:o}=e;p(P(r)&&(r.rule==="skip"||r.rule==="withhold"),n),Pr(r,t,n),p(o.every(([s,i])=>Ge(r.sizes,s,i)===0),n),p(mi(e,t),n)}
function mi({weights:e,floor:t},{ticks:n}){return e.some((r,o)=>{let s=[ne(t,[0,o+1]),ne(t,[o+1,n])];return r>0&&(t.rule==="skip"?s[0]&&s[1]:s[0]||s[1])})}
function hi({kind:e,blank:t,cuts:n,ring:r}){return e==="ring"?[t[1],C(re(r).map(({units:o})=>o))]:[t[1],...Array(n.number).fill(C(n.weights))]}
function gi(e,t,n,r){let o=en(e,Qe(e,t,e.line.ticks),n,r);return nn(e,n)?null:o}
function wi(e,t,{index:n,steps:r},o){let s=me(e)?{...e,cuts:{...e.cuts,floor:di}}:e;return se(e,en(s,n,t,r),o)}
function bi(e,t,n){return Le(e,t).filter(r=>ae(e,r)!==void 0).map(r=>({index:ae(e,r),label:se(e,r,n),note:me(e)&&!ne(e.cuts.floor,r)?n.words.tooNarrow:""}))}
function yi(e,t,n,r){let o=q(e),s=bi(e,t,r);if(o.length===0)return et(e,n,r,{offered:s});let i=I.exact(e,n,r),a={[o[o.length-1][0]===0?"before":"after"]:i.nodes};return et(e,n,r,{offered:s,...a,exact:i})}
function ki(e,t,n,r){let{words:o}=r,[s,i]=Le(e,t),a=u=>ct(e,u,r),c=[{index:ae(e,s),label:o.ringYes(a(s))},{index:ae(e,i),label:o.ringNo(a(i))}],d=[m("h2",{className:"ask"},o.isIt(a(s)))];return et(e,n,r,{offered:c,before:d})}
function Mr(e,[t,n]){return q(e).some(([r,o])=>r<=t&&n<=o&&t<n)}
function xi(e,t){let n=s=>e.some(s),r=n(s=>q(s).length>0);return{lines:[[n(Oe),t.cardRange],[n(Rt),t.cardNarrow],[n(me),t.cardWithheld],[r,t.cardExact]].flatMap(([s,i])=>s?[i]:[]),hidden:r?t.cardHiddenElse:t.cardHidden}}
T.cuts=T.ring={maxLength:({line:e})=>`[${e.ticks},${e.ticks}]`.length,drawBounds:hi,isValid:({line:e},t)=>t.length===2&&t.every(n=>y(n,e.ticks+1)),encode:gi,label:se,answerLabel:wi,describeLoss:vr,describeOdds:Cr,recordHint:(e,t,{words:n})=>Mr(e,t)?n.exactHint:n.broadHint,isExact:Mr,isWithheld:me,cardTexts:xi,trail:jr},Object.assign(ue,{cuts:li,ring:ui}),Object.assign(I,{cuts:yi,ring:ki});
