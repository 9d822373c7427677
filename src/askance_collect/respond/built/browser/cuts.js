var Ui={...Un,cuts:{number:[1,16],weights:ut,floor:ue(null,{...Wn,rule:/^(skip|withhold)$/}),open:[[[0],2,void 0,2],0]},ask:/^(cells|narrow)$/},
Wi={...Un,ring:{...Wn,weights:ut},ask:"cells"},
Ki=null;
function _i({line:e,cuts:t,ask:n}){let{open:r,floor:o}=t,s=r.flat();if(!s.every((c,d)=>c<=e.ticks&&(d===0||c>s[d-1]))||s.length===2&&s[1]-s[0]===e.ticks||!bt(e)||!po(t,e))return!1;let a=()=>r.every(([c,d])=>et(o.sizes,c,d)===0);return o===null||mo(o,e)&&a()&&zi(t,e)&&(n==="cells"||o.rule!=="withhold")}
var Gi=({line:e,ring:t})=>bt(e)&&po(t,e)&&mo(t,e)&&Ht(C(re(t).map(n=>n.units))),
po=({weights:e},{ticks:t})=>e.length===t-1&&Ht(C(e)),
mo=({sizes:e,least:t},{ticks:n})=>e.length===n&&Ht(C(e))&&t<=C(e);
function zi({weights:e,floor:t},{ticks:n}){return e.some((r,o)=>{let s=[Q(t,[0,o+1]),Q(t,[o+1,n])];return r>0&&(t.rule==="skip"?s[0]&&s[1]:s[0]||s[1])})}
function Vi({kind:e,blank:t,cuts:n,ring:r}){return e==="ring"?[t[1],C(re(r).map(({units:o})=>o))]:[t[1],...Array(n.number).fill(C(n.weights))]}
function Qi(e,t,n,r){let o=pn(e,rt(e,t,e.line.ticks),n,r);return hn(e,n)?null:o}
function Ji(e,t,{index:n,steps:r},o){let s=xe(e)?{...e,cuts:{...e.cuts,floor:Ki}}:e;return le(e,pn(s,n,t,r),o)}
function Zi(e,t,n){return je(e,t).filter(r=>pe(e,r)!==void 0).map(r=>({index:pe(e,r),label:le(e,r,n),note:xe(e)&&!Q(e.cuts.floor,r)?n.words.tooNarrow:""}))}
function Xi(e,t,n,r){let o=ee(e),s=Zi(e,t,r);if(o.length===0)return dt(e,n,r,{offered:s});let i=T.exact(e,n,r),a={[o[o.length-1][0]===0?"before":"after"]:i.nodes};return dt(e,n,r,{offered:s,...a,exact:i})}
function Yi(e,t,n,r){let{words:o}=r,[s,i]=je(e,t),a=u=>gt(e,u,r),c=[{index:pe(e,s),label:o.ringYes(a(s))},{index:pe(e,i),label:o.ringNo(a(i))}],d=[p("h2",{className:"ask"},o.isIt(a(s)))];return dt(e,n,r,{offered:c,before:d})}
function ho(e,[t,n]){return ee(e).some(([r,o])=>r<=t&&n<=o&&t<n)}
function qi(e,t){let n=s=>e.some(s),r=n(s=>ee(s).length>0);return{lines:[[n(Ie),t.cardRange],[n(Gt),t.cardNarrow],[n(xe),t.cardWithheld],[r,t.cardExact]].flatMap(([s,i])=>s?[i]:[]),hidden:r?t.cardHiddenElse:t.cardHidden}}
A.cuts=A.ring={maxLength:({line:e})=>`[${e.ticks},${e.ticks}]`.length,drawBounds:Vi,isValid:({line:e},t)=>t.length===2&&t.every(n=>$(n,e.ticks+1)),encode:Qi,label:le,answerLabel:Ji,describeLoss:lo,describeOdds:co,recordHint:(e,t,{words:n})=>ho(e,t)?n.exactHint:n.broadHint,isExact:ho,isWithheld:xe,numberLabel:Qe,cardTexts:qi,trail:fo},Object.assign(M,{cuts:[Ui,_i],ring:[Wi,Gi]}),Object.assign(T,{cuts:Xi,ring:Yi});
