var fi=16,
pi=null;
function mi(e,t,n){let{line:r,cuts:o,ask:s}=e;Mr(e,t,n),p(P(o)&&y(o.number,fi+1)&&o.number>0,`${n}.cuts`),Dr(o.weights,r,`${n}.cuts.weights`),gi(o.open,r,`${n}.cuts.open`),p(o.floor!==void 0,`${n}.cuts.floor`),p(s==="cells"||s==="narrow",`${n}.ask`),o.floor!==null&&wi(o,r,`${n}.cuts.floor`),p(s==="cells"||o.floor?.rule!=="withhold",`${n}.ask`)}
function hi(e,t,n){let{line:r,ring:o,ask:s}=e;Mr(e,t,n),p(s==="cells",`${n}.ask`),p(P(o),`${n}.ring`),Dr(o.weights,r,`${n}.ring.weights`),Ur(o,r,`${n}.ring`);let i=C(re(o).map(a=>a.units));p(Be(i),`${n}.ring`)}
function Mr({line:e,typed:t,blank:n,about:r},o,s){It(e,o,`${s}.line`),un(n,`${s}.blank`),p(r!==void 0&&typeof t=="boolean",s)}
function Dr(e,t,n){p(T(e)&&e.length===t.ticks-1&&e.every(xe),n),p(Be(C(e)),n)}
function gi(e,{ticks:t},n){p(T(e)&&e.every(o=>T(o)&&o.length===2),n);let r=e.flat();p(r.every((o,s)=>y(o,t+1)&&(s===0||o>r[s-1])),n),p(!(e.length===1&&r[0]===0&&r[1]===t),n)}
function Ur({sizes:e,least:t},{ticks:n},r){p(T(e)&&e.length===n&&e.every(xe),r),p(Be(C(e))&&xe(t)&&y(t-1,C(e)),r)}
function wi(e,t,n){let{floor:r,open:o}=e;p(P(r)&&(r.rule==="skip"||r.rule==="withhold"),n),Ur(r,t,n),p(o.every(([s,i])=>Ve(r.sizes,s,i)===0),n),p(bi(e,t),n)}
function bi({weights:e,floor:t},{ticks:n}){return e.some((r,o)=>{let s=[Q(t,[0,o+1]),Q(t,[o+1,n])];return r>0&&(t.rule==="skip"?s[0]&&s[1]:s[0]||s[1])})}
function yi({kind:e,blank:t,cuts:n,ring:r}){return e==="ring"?[t[1],C(re(r).map(({units:o})=>o))]:[t[1],...Array(n.number).fill(C(n.weights))]}
function ki(e,t,n,r){let o=nn(e,Ze(e,t,e.line.ticks),n,r);return on(e,n)?null:o}
function xi(e,t,{index:n,steps:r},o){let s=me(e)?{...e,cuts:{...e.cuts,floor:pi}}:e;return se(e,nn(s,n,t,r),o)}
function Si(e,t,n){return Ie(e,t).filter(r=>ae(e,r)!==void 0).map(r=>({index:ae(e,r),label:se(e,r,n),note:me(e)&&!Q(e.cuts.floor,r)?n.words.tooNarrow:""}))}
function Oi(e,t,n,r){let o=ee(e),s=Si(e,t,r);if(o.length===0)return nt(e,n,r,{offered:s});let i=I.exact(e,n,r),a={[o[o.length-1][0]===0?"before":"after"]:i.nodes};return nt(e,n,r,{offered:s,...a,exact:i})}
function Ai(e,t,n,r){let{words:o}=r,[s,i]=Ie(e,t),a=u=>lt(e,u,r),c=[{index:ae(e,s),label:o.ringYes(a(s))},{index:ae(e,i),label:o.ringNo(a(i))}],d=[m("h2",{className:"ask"},o.isIt(a(s)))];return nt(e,n,r,{offered:c,before:d})}
function Fr(e,[t,n]){return ee(e).some(([r,o])=>r<=t&&n<=o&&t<n)}
function Ei(e,t){let n=s=>e.some(s),r=n(s=>ee(s).length>0);return{lines:[[n(Ae),t.cardRange],[n(Bt),t.cardNarrow],[n(me),t.cardWithheld],[r,t.cardExact]].flatMap(([s,i])=>s?[i]:[]),hidden:r?t.cardHiddenElse:t.cardHidden}}
E.cuts=E.ring={maxLength:({line:e})=>`[${e.ticks},${e.ticks}]`.length,drawBounds:yi,isValid:({line:e},t)=>t.length===2&&t.every(n=>y(n,e.ticks+1)),encode:ki,label:se,answerLabel:xi,describeLoss:Br,describeOdds:jr,recordHint:(e,t,{words:n})=>Fr(e,t)?n.exactHint:n.broadHint,isExact:Fr,isWithheld:me,numberLabel:Fe,cardTexts:Ei,trail:Pr},Object.assign(ue,{cuts:mi,ring:hi}),Object.assign(I,{cuts:Oi,ring:Ai});
