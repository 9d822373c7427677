var wi=16,
bi=null;
function yi(e,t,n){let{line:r,cuts:o,ask:s}=e;Dr(e,t,n),p(P(o)&&y(o.number,wi+1)&&o.number>0,`${n}.cuts`),Ur(o.weights,r,`${n}.cuts.weights`),xi(o.open,r,`${n}.cuts.open`),p(o.floor!==void 0,`${n}.cuts.floor`),p(s==="cells"||s==="narrow",`${n}.ask`),o.floor!==null&&Si(o,r,`${n}.cuts.floor`),p(s==="cells"||o.floor?.rule!=="withhold",`${n}.ask`)}
function ki(e,t,n){let{line:r,ring:o,ask:s}=e;Dr(e,t,n),p(s==="cells",`${n}.ask`),p(P(o),`${n}.ring`),Ur(o.weights,r,`${n}.ring.weights`),Fr(o,r,`${n}.ring`);let i=C(re(o).map(a=>a.units));p(Pe(i),`${n}.ring`)}
function Dr({line:e,typed:t,blank:n,about:r},o,s){Nt(e,o,`${s}.line`),fn(n,`${s}.blank`),p(r!==void 0&&typeof t=="boolean",s)}
function Ur(e,t,n){p(A(e)&&e.length===t.ticks-1&&e.every(Ae),n),p(Pe(C(e)),n)}
function xi(e,{ticks:t},n){p(A(e)&&e.every(o=>A(o)&&o.length===2),n);let r=e.flat();p(r.every((o,s)=>y(o,t+1)&&(s===0||o>r[s-1])),n),p(!(e.length===1&&r[0]===0&&r[1]===t),n)}
function Fr({sizes:e,least:t},{ticks:n},r){p(A(e)&&e.length===n&&e.every(Ae),r),p(Pe(C(e))&&Ae(t)&&y(t-1,C(e)),r)}
function Si(e,t,n){let{floor:r,open:o}=e;p(P(r)&&(r.rule==="skip"||r.rule==="withhold"),n),Fr(r,t,n),p(o.every(([s,i])=>Ve(r.sizes,s,i)===0),n),p(Oi(e,t),n)}
function Oi({weights:e,floor:t},{ticks:n}){return e.some((r,o)=>{let s=[J(t,[0,o+1]),J(t,[o+1,n])];return r>0&&(t.rule==="skip"?s[0]&&s[1]:s[0]||s[1])})}
function Ai({kind:e,blank:t,cuts:n,ring:r}){return e==="ring"?[t[1],C(re(r).map(({units:o})=>o))]:[t[1],...Array(n.number).fill(C(n.weights))]}
function Ei(e,t,n,r){let o=rn(e,Ze(e,t,e.line.ticks),n,r);return sn(e,n)?null:o}
function Ti(e,t,{index:n,steps:r},o){let s=we(e)?{...e,cuts:{...e.cuts,floor:bi}}:e;return ae(e,rn(s,n,t,r),o)}
function $i(e,t,n){return Ce(e,t).filter(r=>de(e,r)!==void 0).map(r=>({index:de(e,r),label:ae(e,r,n),note:we(e)&&!J(e.cuts.floor,r)?n.words.tooNarrow:""}))}
function Li(e,t,n,r){let o=ee(e),s=$i(e,t,r);if(o.length===0)return nt(e,n,r,{offered:s});let i=I.exact(e,n,r),a={[o[o.length-1][0]===0?"before":"after"]:i.nodes};return nt(e,n,r,{offered:s,...a,exact:i})}
function Ii(e,t,n,r){let{words:o}=r,[s,i]=Ce(e,t),a=u=>ut(e,u,r),c=[{index:de(e,s),label:o.ringYes(a(s))},{index:de(e,i),label:o.ringNo(a(i))}],d=[m("h2",{className:"ask"},o.isIt(a(s)))];return nt(e,n,r,{offered:c,before:d})}
function Wr(e,[t,n]){return ee(e).some(([r,o])=>r<=t&&n<=o&&t<n)}
function Ni(e,t){let n=s=>e.some(s),r=n(s=>ee(s).length>0);return{lines:[[n(Te),t.cardRange],[n(Ht),t.cardNarrow],[n(we),t.cardWithheld],[r,t.cardExact]].flatMap(([s,i])=>s?[i]:[]),hidden:r?t.cardHiddenElse:t.cardHidden}}
T.cuts=T.ring={maxLength:({line:e})=>`[${e.ticks},${e.ticks}]`.length,drawBounds:Ai,isValid:({line:e},t)=>t.length===2&&t.every(n=>y(n,e.ticks+1)),encode:Ei,label:ae,answerLabel:Ti,describeLoss:Hr,describeOdds:Br,recordHint:(e,t,{words:n})=>Wr(e,t)?n.exactHint:n.broadHint,isExact:Wr,isWithheld:we,numberLabel:Fe,cardTexts:Ni,trail:Mr},Object.assign(pe,{cuts:yi,ring:ki}),Object.assign(I,{cuts:Li,ring:Ii});
var $i={...Pn,cuts:{number:[1,16],weights:lt,floor:ce(null,{...Dn,rule:/^(skip|withhold)$/}),open:[[[0],2,void 0,2],0]},ask:/^(cells|narrow)$/},
Ri={...Pn,ring:{...Dn,weights:lt},ask:"cells"},
ji=null;
function Bi({line:e,cuts:t,ask:n}){let{open:r,floor:o}=t,s=r.flat();if(!s.every((c,d)=>c<=e.ticks&&(d===0||c>s[d-1]))||s.length===2&&s[1]-s[0]===e.ticks||!bt(e)||!to(t,e))return!1;let a=()=>r.every(([c,d])=>qe(o.sizes,c,d)===0);return o===null||no(o,e)&&a()&&Hi(t,e)&&(n==="cells"||o.rule!=="withhold")}
var vi=({line:e,ring:t})=>bt(e)&&to(t,e)&&no(t,e)&&Ht(I(re(t).map(n=>n.units))),
to=({weights:e},{ticks:t})=>e.length===t-1&&Ht(I(e)),
no=({sizes:e,least:t},{ticks:n})=>e.length===n&&Ht(I(e))&&t<=I(e);
function Hi({weights:e,floor:t},{ticks:n}){return e.some((r,o)=>{let s=[V(t,[0,o+1]),V(t,[o+1,n])];return r>0&&(t.rule==="skip"?s[0]&&s[1]:s[0]||s[1])})}
function Pi({kind:e,blank:t,cuts:n,ring:r}){return e==="ring"?[t[1],I(re(r).map(({units:o})=>o))]:[t[1],...Array(n.number).fill(I(n.weights))]}
function Di(e,t,n,r){let o=fn(e,nt(e,t,e.line.ticks),n,r);return mn(e,n)?null:o}
function Fi(e,t,{index:n,steps:r},o){let s=ye(e)?{...e,cuts:{...e.cuts,floor:ji}}:e;return ae(e,fn(s,n,t,r),o)}
function Mi(e,t,n){return Re(e,t).filter(r=>le(e,r)!==void 0).map(r=>({index:le(e,r),label:ae(e,r,n),note:ye(e)&&!V(e.cuts.floor,r)?n.words.tooNarrow:""}))}
function Ui(e,t,n,r){let o=ee(e),s=Mi(e,t,r);if(o.length===0)return ct(e,n,r,{offered:s});let i=T.exact(e,n,r),a={[o[o.length-1][0]===0?"before":"after"]:i.nodes};return ct(e,n,r,{offered:s,...a,exact:i})}
function Wi(e,t,n,r){let{words:o}=r,[s,i]=Re(e,t),a=u=>gt(e,u,r),c=[{index:le(e,s),label:o.ringYes(a(s))},{index:le(e,i),label:o.ringNo(a(i))}],d=[p("h2",{className:"ask"},o.isIt(a(s)))];return ct(e,n,r,{offered:c,before:d})}
function ro(e,[t,n]){return ee(e).some(([r,o])=>r<=t&&n<=o&&t<n)}
function Ki(e,t){let n=s=>e.some(s),r=n(s=>ee(s).length>0);return{lines:[[n(Te),t.cardRange],[n(_t),t.cardNarrow],[n(ye),t.cardWithheld],[r,t.cardExact]].flatMap(([s,i])=>s?[i]:[]),hidden:r?t.cardHiddenElse:t.cardHidden}}
A.cuts=A.ring={maxLength:({line:e})=>`[${e.ticks},${e.ticks}]`.length,drawBounds:Pi,isValid:({line:e},t)=>t.length===2&&t.every(n=>C(n,e.ticks+1)),encode:Di,label:ae,answerLabel:Fi,describeLoss:Yr,describeOdds:Xr,recordHint:(e,t,{words:n})=>ro(e,t)?n.exactHint:n.broadHint,isExact:ro,isWithheld:ye,numberLabel:Ve,cardTexts:Ki,trail:eo},Object.assign(F,{cuts:[$i,Bi],ring:[Ri,vi]}),Object.assign(T,{cuts:Ui,ring:Wi});
