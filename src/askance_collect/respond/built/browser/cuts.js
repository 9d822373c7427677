var _i={...Kn,cuts:{number:[1,16],weights:ft,floor:ue(null,{..._n,rule:/^(skip|withhold)$/}),open:[[[0],2,void 0,2],0]},ask:/^(cells|narrow)$/},
Gi={...Kn,ring:{..._n,weights:ft},ask:"cells"},
zi=null;
function Vi({line:e,cuts:t,ask:n}){let{open:r,floor:o}=t,s=r.flat();if(!s.every((c,d)=>c<=e.ticks&&(d===0||c>s[d-1]))||s.length===2&&s[1]-s[0]===e.ticks||!yt(e)||!mo(t,e))return!1;let a=()=>r.every(([c,d])=>nt(o.sizes,c,d)===0);return o===null||ho(o,e)&&a()&&Ji(t,e)&&(n==="cells"||o.rule!=="withhold")}
var Qi=({line:e,ring:t})=>yt(e)&&mo(t,e)&&ho(t,e)&&Dt(C(re(t).map(n=>n.units))),
mo=({weights:e},{ticks:t})=>e.length===t-1&&Dt(C(e)),
ho=({sizes:e,least:t},{ticks:n})=>e.length===n&&Dt(C(e))&&t<=C(e);
function Ji({weights:e,floor:t},{ticks:n}){return e.some((r,o)=>{let s=[Q(t,[0,o+1]),Q(t,[o+1,n])];return r>0&&(t.rule==="skip"?s[0]&&s[1]:s[0]||s[1])})}
function Zi({kind:e,blank:t,cuts:n,ring:r}){return e==="ring"?[t[1],C(re(r).map(({units:o})=>o))]:[t[1],...Array(n.number).fill(C(n.weights))]}
function Xi(e,t,n,r){let o=hn(e,st(e,t,e.line.ticks),n,r);return wn(e,n)?null:o}
function Yi(e,t,{index:n,steps:r},o){let s=xe(e)?{...e,cuts:{...e.cuts,floor:zi}}:e;return le(e,hn(s,n,t,r),o)}
function qi(e,t,n){return Be(e,t).filter(r=>pe(e,r)!==void 0).map(r=>({index:pe(e,r),label:le(e,r,n),note:xe(e)&&!Q(e.cuts.floor,r)?n.words.tooNarrow:""}))}
function ea(e,t,n,r){let o=ee(e),s=qi(e,t,r);if(o.length===0)return lt(e,n,r,{offered:s});let i=L.exact(e,n,r),a={[o[o.length-1][0]===0?"before":"after"]:i.nodes};return lt(e,n,r,{offered:s,...a,exact:i})}
function ta(e,t,n,r){let{words:o}=r,[s,i]=Be(e,t),a=u=>wt(e,u,r),c=[{index:pe(e,s),label:o.ringYes(a(s))},{index:pe(e,i),label:o.ringNo(a(i))}],d=[p("h2",{className:"ask"},o.isIt(a(s)))];return lt(e,n,r,{offered:c,before:d})}
function go(e,[t,n]){return ee(e).some(([r,o])=>r<=t&&n<=o&&t<n)}
function na(e,t){let n=s=>e.some(s),r=n(s=>ee(s).length>0);return{lines:[[n(Ce),t.cardRange],[n(Vt),t.cardNarrow],[n(xe),t.cardWithheld],[r,t.cardExact]].flatMap(([s,i])=>s?[i]:[]),hidden:r?t.cardHiddenElse:t.cardHidden}}
O.cuts=O.ring={maxLength:({line:e})=>`[${e.ticks},${e.ticks}]`.length,drawBounds:Zi,isValid:({line:e},t)=>t.length===2&&t.every(n=>$(n,e.ticks+1)),encode:Xi,label:le,answerLabel:Yi,describeLoss:uo,describeOdds:lo,recordHint:(e,t,{words:n})=>go(e,t)?n.exactHint:n.broadHint,isExact:go,isWithheld:xe,numberLabel:Ze,cardTexts:na,trail:po},Object.assign(M,{cuts:[_i,Vi],ring:[Gi,Qi]}),Object.assign(L,{cuts:ea,ring:ta});
var Ki={...Wn,cuts:{number:[1,16],weights:ut,floor:fe(null,{...Kn,rule:/^(skip|withhold)$/}),open:[[[0],2,void 0,2],0]},ask:/^(cells|narrow)$/},
_i={...Wn,ring:{...Kn,weights:ut},ask:"cells"},
Gi=null;
function zi({line:e,cuts:t,ask:n}){let{open:r,floor:o}=t,s=r.flat();if(!s.every((c,d)=>c<=e.ticks&&(d===0||c>s[d-1]))||s.length===2&&s[1]-s[0]===e.ticks||!bt(e)||!po(t,e))return!1;let a=()=>r.every(([c,d])=>et(o.sizes,c,d)===0);return o===null||mo(o,e)&&a()&&Qi(t,e)&&(n==="cells"||o.rule!=="withhold")}
var Vi=({line:e,ring:t})=>bt(e)&&po(t,e)&&mo(t,e)&&Ht(C(re(t).map(n=>n.units))),
po=({weights:e},{ticks:t})=>e.length===t-1&&Ht(C(e)),
mo=({sizes:e,least:t},{ticks:n})=>e.length===n&&Ht(C(e))&&t<=C(e);
function Qi({weights:e,floor:t},{ticks:n}){return e.some((r,o)=>{let s=[Q(t,[0,o+1]),Q(t,[o+1,n])];return r>0&&(t.rule==="skip"?s[0]&&s[1]:s[0]||s[1])})}
function Ji({kind:e,blank:t,cuts:n,ring:r}){return e==="ring"?[t[1],C(re(r).map(({units:o})=>o))]:[t[1],...Array(n.number).fill(C(n.weights))]}
function Zi(e,t,n,r){let o=pn(e,rt(e,t,e.line.ticks),n,r);return hn(e,n)?null:o}
function Xi(e,t,{index:n,steps:r},o){let s=Se(e)?{...e,cuts:{...e.cuts,floor:Gi}}:e;return ue(e,pn(s,n,t,r),o)}
function Yi(e,t,n){return je(e,t).filter(r=>me(e,r)!==void 0).map(r=>({index:me(e,r),label:ue(e,r,n),note:Se(e)&&!Q(e.cuts.floor,r)?n.words.tooNarrow:""}))}
function qi(e,t,n,r){let o=ee(e),s=Yi(e,t,r);if(o.length===0)return dt(e,n,r,{offered:s});let i=L.exact(e,n,r),a={[o[o.length-1][0]===0?"before":"after"]:i.nodes};return dt(e,n,r,{offered:s,...a,exact:i})}
function ea(e,t,n,r){let{words:o}=r,[s,i]=je(e,t),a=u=>gt(e,u,r),c=[{index:me(e,s),label:o.ringYes(a(s))},{index:me(e,i),label:o.ringNo(a(i))}],d=[m("h2",{className:"ask"},o.isIt(a(s)))];return dt(e,n,r,{offered:c,before:d})}
function ho(e,[t,n]){return ee(e).some(([r,o])=>r<=t&&n<=o&&t<n)}
function ta(e,t){let n=s=>e.some(s),r=n(s=>ee(s).length>0);return{lines:[[n(Ie),t.cardRange],[n(Gt),t.cardNarrow],[n(Se),t.cardWithheld],[r,t.cardExact]].flatMap(([s,i])=>s?[i]:[]),hidden:r?t.cardHiddenElse:t.cardHidden}}
A.cuts=A.ring={maxLength:({line:e})=>`[${e.ticks},${e.ticks}]`.length,drawBounds:Ji,isValid:({line:e},t)=>t.length===2&&t.every(n=>$(n,e.ticks+1)),encode:Zi,label:ue,answerLabel:Xi,describeLoss:lo,describeOdds:co,recordHint:(e,t,{words:n})=>ho(e,t)?n.exactHint:n.broadHint,isExact:ho,isWithheld:Se,numberLabel:Qe,cardTexts:ta,trail:fo},Object.assign(U,{cuts:[Ki,zi],ring:[_i,Vi]}),Object.assign(L,{cuts:qi,ring:ea});
