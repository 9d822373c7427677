var la={...Xn,cuts:{number:[1,16],weights:ht,floor:ge(null,{...Yn,rule:/^(skip|withhold)$/}),open:[[[0],2,void 0,2],0]},ask:/^(cells|narrow)$/},
ua={...Xn,ring:{...Yn,weights:ht},ask:"cells"},
fa=null;
function pa({line:e,cuts:t,ask:n}){let{open:r,floor:o}=t,s=r.flat();if(!s.every((c,d)=>c<=e.ticks&&(d===0||c>s[d-1]))||s.length===2&&s[1]-s[0]===e.ticks||!xt(e)||!Eo(t,e))return!1;let a=()=>r.every(([c,d])=>it(o.sizes,c,d)===0);return o===null||No(o,e)&&a()&&ha(t,e)&&(n==="cells"||o.rule!=="withhold")}
var ma=({line:e,ring:t})=>xt(e)&&Eo(t,e)&&No(t,e)&&Ut($(ae(t).map(n=>n.units))),
Eo=({weights:e},{ticks:t})=>e.length===t-1&&Ut($(e)),
No=({sizes:e,least:t},{ticks:n})=>e.length===n&&Ut($(e))&&t<=$(e);
function ha({weights:e,floor:t},{ticks:n}){return e.some((r,o)=>{let s=[Z(t,[0,o+1]),Z(t,[o+1,n])];return r>0&&(t.rule==="skip"?s[0]&&s[1]:s[0]||s[1])})}
function ga({kind:e,blank:t,cuts:n,ring:r}){return e==="ring"?[t[1],$(ae(r).map(({units:o})=>o))]:[t[1],...Array(n.number).fill($(n.weights))]}
function wa(e,t,n,r){let o=kn(e,dt(e,t,e.line.ticks),n,r);return Sn(e,n)?null:o}
function ba(e,t,{index:n,steps:r},o){let s=Ne(e)?{...e,cuts:{...e.cuts,floor:fa}}:e;return he(e,kn(s,n,t,r),o)}
function ya(e,t,n){return Me(e,t).filter(r=>be(e,r)!==void 0).map(r=>({index:be(e,r),label:he(e,r,n),note:Ne(e)&&!Z(e.cuts.floor,r)?n.words.tooNarrow:""}))}
function ka(e,t,n,r){let o=re(e),s=ya(e,t,r);if(o.length===0)return Re(e,n,r,{offered:s});let i=T.exact(e,n,r),a={[o[o.length-1][0]===0?"before":"after"]:i.nodes};return Re(e,n,r,{offered:s,...a,exact:i})}
function xa(e,t,n,r){let{words:o}=r,[s,i]=Me(e,t),a=u=>yt(e,u,r),c=[{index:be(e,s),label:o.ringYes(a(s))},{index:be(e,i),label:o.ringNo(a(i))}],d=[p("h2",{className:"ask"},o.isIt(a(s)))];return Re(e,n,r,{offered:c,before:d})}
function To(e,[t,n]){return re(e).some(([r,o])=>r<=t&&n<=o&&t<n)}
function Sa(e,t){let n=s=>e.some(s),r=n(s=>re(s).length>0);return{lines:[[n(ve),t.cardRange],[n(Jt),t.cardNarrow],[n(Ne),t.cardWithheld],[r,t.cardExact]].flatMap(([s,i])=>s?[i]:[]),hidden:r?t.cardHiddenElse:t.cardHidden}}
A.cuts=A.ring={maxLength:({line:e})=>`[${e.ticks},${e.ticks}]`.length,drawBounds:ga,isValid:({line:e},t)=>t.length===2&&t.every(n=>C(n,e.ticks+1)),encode:wa,label:he,answerLabel:ba,describeLoss:So,describeOdds:xo,recordHint:(e,t,{words:n})=>To(e,t)?n.exactHint:n.broadHint,isExact:To,isWithheld:Ne,numberLabel:et,cardTexts:Sa,trail:Ao},Object.assign(H,{cuts:[la,pa],ring:[ua,ma]}),Object.assign(T,{cuts:ka,ring:xa});
