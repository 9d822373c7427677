var aa={...Zn,cuts:{number:[1,16],weights:mt,floor:he(null,{...Xn,rule:/^(skip|withhold)$/}),open:[[[0],2,void 0,2],0]},ask:/^(cells|narrow)$/},
ca={...Zn,ring:{...Xn,weights:mt},ask:"cells"},
da=null;
function la({line:e,cuts:t,ask:n}){let{open:r,floor:o}=t,s=r.flat();if(!s.every((c,d)=>c<=e.ticks&&(d===0||c>s[d-1]))||s.length===2&&s[1]-s[0]===e.ticks||!kt(e)||!Oo(t,e))return!1;let a=()=>r.every(([c,d])=>ot(o.sizes,c,d)===0);return o===null||Ao(o,e)&&a()&&fa(t,e)&&(n==="cells"||o.rule!=="withhold")}
var ua=({line:e,ring:t})=>kt(e)&&Oo(t,e)&&Ao(t,e)&&Ut($(ae(t).map(n=>n.units))),
Oo=({weights:e},{ticks:t})=>e.length===t-1&&Ut($(e)),
Ao=({sizes:e,least:t},{ticks:n})=>e.length===n&&Ut($(e))&&t<=$(e);
function fa({weights:e,floor:t},{ticks:n}){return e.some((r,o)=>{let s=[Z(t,[0,o+1]),Z(t,[o+1,n])];return r>0&&(t.rule==="skip"?s[0]&&s[1]:s[0]||s[1])})}
function pa({kind:e,blank:t,cuts:n,ring:r}){return e==="ring"?[t[1],$(ae(r).map(({units:o})=>o))]:[t[1],...Array(n.number).fill($(n.weights))]}
function ma(e,t,n,r){let o=kn(e,at(e,t,e.line.ticks),n,r);return Sn(e,n)?null:o}
function ha(e,t,{index:n,steps:r},o){let s=Ee(e)?{...e,cuts:{...e.cuts,floor:da}}:e;return me(e,kn(s,n,t,r),o)}
function ga(e,t,n){return Fe(e,t).filter(r=>we(e,r)!==void 0).map(r=>({index:we(e,r),label:me(e,r,n),note:Ee(e)&&!Z(e.cuts.floor,r)?n.words.tooNarrow:""}))}
function wa(e,t,n,r){let o=re(e),s=ga(e,t,r);if(o.length===0)return ft(e,n,r,{offered:s});let i=I.exact(e,n,r),a={[o[o.length-1][0]===0?"before":"after"]:i.nodes};return ft(e,n,r,{offered:s,...a,exact:i})}
function ba(e,t,n,r){let{words:o}=r,[s,i]=Fe(e,t),a=u=>bt(e,u,r),c=[{index:we(e,s),label:o.ringYes(a(s))},{index:we(e,i),label:o.ringNo(a(i))}],d=[m("h2",{className:"ask"},o.isIt(a(s)))];return ft(e,n,r,{offered:c,before:d})}
function Eo(e,[t,n]){return re(e).some(([r,o])=>r<=t&&n<=o&&t<n)}
function ya(e,t){let n=s=>e.some(s),r=n(s=>re(s).length>0);return{lines:[[n(je),t.cardRange],[n(Jt),t.cardNarrow],[n(Ee),t.cardWithheld],[r,t.cardExact]].flatMap(([s,i])=>s?[i]:[]),hidden:r?t.cardHiddenElse:t.cardHidden}}
O.cuts=O.ring={maxLength:({line:e})=>`[${e.ticks},${e.ticks}]`.length,drawBounds:pa,isValid:({line:e},t)=>t.length===2&&t.every(n=>C(n,e.ticks+1)),encode:ma,label:me,answerLabel:ha,describeLoss:ko,describeOdds:yo,recordHint:(e,t,{words:n})=>Eo(e,t)?n.exactHint:n.broadHint,isExact:Eo,isWithheld:Ee,numberLabel:Ye,cardTexts:ya,trail:So},Object.assign(M,{cuts:[aa,la],ring:[ca,ua]}),Object.assign(I,{cuts:wa,ring:ba});
