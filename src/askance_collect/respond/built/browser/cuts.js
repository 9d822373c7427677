var Ji={..._n,cuts:{number:[1,16],weights:pt,floor:fe(null,{...Gn,rule:/^(skip|withhold)$/}),open:[[[0],2,void 0,2],0]},ask:/^(cells|narrow)$/},
Zi={..._n,ring:{...Gn,weights:pt},ask:"cells"},
Xi=null;
function Yi({line:e,cuts:t,ask:n}){let{open:r,floor:o}=t,s=r.flat();if(!s.every((c,d)=>c<=e.ticks&&(d===0||c>s[d-1]))||s.length===2&&s[1]-s[0]===e.ticks||!yt(e)||!mo(t,e))return!1;let a=()=>r.every(([c,d])=>rt(o.sizes,c,d)===0);return o===null||ho(o,e)&&a()&&ea(t,e)&&(n==="cells"||o.rule!=="withhold")}
var qi=({line:e,ring:t})=>yt(e)&&mo(t,e)&&ho(t,e)&&Ft($(oe(t).map(n=>n.units))),
mo=({weights:e},{ticks:t})=>e.length===t-1&&Ft($(e)),
ho=({sizes:e,least:t},{ticks:n})=>e.length===n&&Ft($(e))&&t<=$(e);
function ea({weights:e,floor:t},{ticks:n}){return e.some((r,o)=>{let s=[Q(t,[0,o+1]),Q(t,[o+1,n])];return r>0&&(t.rule==="skip"?s[0]&&s[1]:s[0]||s[1])})}
function ta({kind:e,blank:t,cuts:n,ring:r}){return e==="ring"?[t[1],$(oe(r).map(({units:o})=>o))]:[t[1],...Array(n.number).fill($(n.weights))]}
function na(e,t,n,r){let o=hn(e,it(e,t,e.line.ticks),n,r);return wn(e,n)?null:o}
function ra(e,t,{index:n,steps:r},o){let s=Se(e)?{...e,cuts:{...e.cuts,floor:Xi}}:e;return ue(e,hn(s,n,t,r),o)}
function oa(e,t,n){return He(e,t).filter(r=>me(e,r)!==void 0).map(r=>({index:me(e,r),label:ue(e,r,n),note:Se(e)&&!Q(e.cuts.floor,r)?n.words.tooNarrow:""}))}
function sa(e,t,n,r){let o=te(e),s=oa(e,t,r);if(o.length===0)return ut(e,n,r,{offered:s});let i=I.exact(e,n,r),a={[o[o.length-1][0]===0?"before":"after"]:i.nodes};return ut(e,n,r,{offered:s,...a,exact:i})}
function ia(e,t,n,r){let{words:o}=r,[s,i]=He(e,t),a=u=>wt(e,u,r),c=[{index:me(e,s),label:o.ringYes(a(s))},{index:me(e,i),label:o.ringNo(a(i))}],d=[m("h2",{className:"ask"},o.isIt(a(s)))];return ut(e,n,r,{offered:c,before:d})}
function go(e,[t,n]){return te(e).some(([r,o])=>r<=t&&n<=o&&t<n)}
function aa(e,t){let n=s=>e.some(s),r=n(s=>te(s).length>0);return{lines:[[n(Ce),t.cardRange],[n(Vt),t.cardNarrow],[n(Se),t.cardWithheld],[r,t.cardExact]].flatMap(([s,i])=>s?[i]:[]),hidden:r?t.cardHiddenElse:t.cardHidden}}
O.cuts=O.ring={maxLength:({line:e})=>`[${e.ticks},${e.ticks}]`.length,drawBounds:ta,isValid:({line:e},t)=>t.length===2&&t.every(n=>C(n,e.ticks+1)),encode:na,label:ue,answerLabel:ra,describeLoss:uo,describeOdds:lo,recordHint:(e,t,{words:n})=>go(e,t)?n.exactHint:n.broadHint,isExact:go,isWithheld:Se,numberLabel:Xe,cardTexts:aa,trail:po},Object.assign(M,{cuts:[Ji,Yi],ring:[Zi,qi]}),Object.assign(I,{cuts:sa,ring:ia});
