var Fi={...Un,cuts:{number:[1,16],weights:ut,floor:ue(null,{...Wn,rule:/^(skip|withhold)$/}),open:[[[0],2,void 0,2],0]},ask:/^(cells|narrow)$/},
Di={...Un,ring:{...Wn,weights:ut},ask:"cells"},
Mi=null;
function Ui({line:e,cuts:t,ask:n}){let{open:r,floor:o}=t,s=r.flat();if(!s.every((c,d)=>c<=e.ticks&&(d===0||c>s[d-1]))||s.length===2&&s[1]-s[0]===e.ticks||!bt(e)||!lo(t,e))return!1;let a=()=>r.every(([c,d])=>et(o.sizes,c,d)===0);return o===null||uo(o,e)&&a()&&Ki(t,e)&&(n==="cells"||o.rule!=="withhold")}
var Wi=({line:e,ring:t})=>bt(e)&&lo(t,e)&&uo(t,e)&&Ht(C(se(t).map(n=>n.units))),
lo=({weights:e},{ticks:t})=>e.length===t-1&&Ht(C(e)),
uo=({sizes:e,least:t},{ticks:n})=>e.length===n&&Ht(C(e))&&t<=C(e);
function Ki({weights:e,floor:t},{ticks:n}){return e.some((r,o)=>{let s=[Q(t,[0,o+1]),Q(t,[o+1,n])];return r>0&&(t.rule==="skip"?s[0]&&s[1]:s[0]||s[1])})}
function _i({kind:e,blank:t,cuts:n,ring:r}){return e==="ring"?[t[1],C(se(r).map(({units:o})=>o))]:[t[1],...Array(n.number).fill(C(n.weights))]}
function Gi(e,t,n,r){let o=pn(e,rt(e,t,e.line.ticks),n,r);return hn(e,n)?null:o}
function zi(e,t,{index:n,steps:r},o){let s=Se(e)?{...e,cuts:{...e.cuts,floor:Mi}}:e;return le(e,pn(s,n,t,r),o)}
function Vi(e,t,n){return Be(e,t).filter(r=>pe(e,r)!==void 0).map(r=>({index:pe(e,r),label:le(e,r,n),note:Se(e)&&!Q(e.cuts.floor,r)?n.words.tooNarrow:""}))}
function Qi(e,t,n,r){let o=ne(e),s=Vi(e,t,r);if(o.length===0)return dt(e,n,r,{offered:s});let i=T.exact(e,n,r),a={[o[o.length-1][0]===0?"before":"after"]:i.nodes};return dt(e,n,r,{offered:s,...a,exact:i})}
function Ji(e,t,n,r){let{words:o}=r,[s,i]=Be(e,t),a=u=>gt(e,u,r),c=[{index:pe(e,s),label:o.ringYes(a(s))},{index:pe(e,i),label:o.ringNo(a(i))}],d=[p("h2",{className:"ask"},o.isIt(a(s)))];return dt(e,n,r,{offered:c,before:d})}
function fo(e,[t,n]){return ne(e).some(([r,o])=>r<=t&&n<=o&&t<n)}
function Zi(e,t){let n=s=>e.some(s),r=n(s=>ne(s).length>0);return{lines:[[n(Ce),t.cardRange],[n(Gt),t.cardNarrow],[n(Se),t.cardWithheld],[r,t.cardExact]].flatMap(([s,i])=>s?[i]:[]),hidden:r?t.cardHiddenElse:t.cardHidden}}
A.cuts=A.ring={maxLength:({line:e})=>`[${e.ticks},${e.ticks}]`.length,drawBounds:_i,isValid:({line:e},t)=>t.length===2&&t.every(n=>$(n,e.ticks+1)),encode:Gi,label:le,answerLabel:zi,describeLoss:io,describeOdds:so,recordHint:(e,t,{words:n})=>fo(e,t)?n.exactHint:n.broadHint,isExact:fo,isWithheld:Se,numberLabel:Qe,cardTexts:Zi,trail:co},Object.assign(M,{cuts:[Fi,Ui],ring:[Di,Wi]}),Object.assign(T,{cuts:Qi,ring:Ji});
