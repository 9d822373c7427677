var Xi={...Vn,cuts:{number:[1,16],weights:pt,floor:pe(null,{...Qn,rule:/^(skip|withhold)$/}),open:[[[0],2,void 0,2],0]},ask:/^(cells|narrow)$/},
Yi={...Vn,ring:{...Qn,weights:pt},ask:"cells"},
qi=null;
function ea({line:e,cuts:t,ask:n}){let{open:r,floor:o}=t,s=r.flat();if(!s.every((c,d)=>c<=e.ticks&&(d===0||c>s[d-1]))||s.length===2&&s[1]-s[0]===e.ticks||!yt(e)||!go(t,e))return!1;let a=()=>r.every(([c,d])=>rt(o.sizes,c,d)===0);return o===null||wo(o,e)&&a()&&na(t,e)&&(n==="cells"||o.rule!=="withhold")}
var ta=({line:e,ring:t})=>yt(e)&&go(t,e)&&wo(t,e)&&Mt($(se(t).map(n=>n.units))),
go=({weights:e},{ticks:t})=>e.length===t-1&&Mt($(e)),
wo=({sizes:e,least:t},{ticks:n})=>e.length===n&&Mt($(e))&&t<=$(e);
function na({weights:e,floor:t},{ticks:n}){return e.some((r,o)=>{let s=[Z(t,[0,o+1]),Z(t,[o+1,n])];return r>0&&(t.rule==="skip"?s[0]&&s[1]:s[0]||s[1])})}
function ra({kind:e,blank:t,cuts:n,ring:r}){return e==="ring"?[t[1],$(se(r).map(({units:o})=>o))]:[t[1],...Array(n.number).fill($(n.weights))]}
function oa(e,t,n,r){let o=bn(e,it(e,t,e.line.ticks),n,r);return kn(e,n)?null:o}
function sa(e,t,{index:n,steps:r},o){let s=Ae(e)?{...e,cuts:{...e.cuts,floor:qi}}:e;return fe(e,bn(s,n,t,r),o)}
function ia(e,t,n){return Fe(e,t).filter(r=>he(e,r)!==void 0).map(r=>({index:he(e,r),label:fe(e,r,n),note:Ae(e)&&!Z(e.cuts.floor,r)?n.words.tooNarrow:""}))}
function aa(e,t,n,r){let o=ne(e),s=ia(e,t,r);if(o.length===0)return ut(e,n,r,{offered:s});let i=I.exact(e,n,r),a={[o[o.length-1][0]===0?"before":"after"]:i.nodes};return ut(e,n,r,{offered:s,...a,exact:i})}
function ca(e,t,n,r){let{words:o}=r,[s,i]=Fe(e,t),a=u=>wt(e,u,r),c=[{index:he(e,s),label:o.ringYes(a(s))},{index:he(e,i),label:o.ringNo(a(i))}],d=[p("h2",{className:"ask"},o.isIt(a(s)))];return ut(e,n,r,{offered:c,before:d})}
function bo(e,[t,n]){return ne(e).some(([r,o])=>r<=t&&n<=o&&t<n)}
function da(e,t){let n=s=>e.some(s),r=n(s=>ne(s).length>0);return{lines:[[n(ve),t.cardRange],[n(Qt),t.cardNarrow],[n(Ae),t.cardWithheld],[r,t.cardExact]].flatMap(([s,i])=>s?[i]:[]),hidden:r?t.cardHiddenElse:t.cardHidden}}
O.cuts=O.ring={maxLength:({line:e})=>`[${e.ticks},${e.ticks}]`.length,drawBounds:ra,isValid:({line:e},t)=>t.length===2&&t.every(n=>C(n,e.ticks+1)),encode:oa,label:fe,answerLabel:sa,describeLoss:po,describeOdds:fo,recordHint:(e,t,{words:n})=>bo(e,t)?n.exactHint:n.broadHint,isExact:bo,isWithheld:Ae,numberLabel:Ye,cardTexts:da,trail:ho},Object.assign(M,{cuts:[Xi,ea],ring:[Yi,ta]}),Object.assign(I,{cuts:aa,ring:ca});
