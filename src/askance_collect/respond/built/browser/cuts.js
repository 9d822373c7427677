var la={...Zn,cuts:{number:[1,16],weights:ht,floor:ge(null,{...Xn,rule:/^(skip|withhold)$/}),open:[[[0],2,void 0,2],0]},ask:/^(cells|narrow)$/},
ua={...Zn,ring:{...Xn,weights:ht},ask:"cells"},
fa=null;
function pa({line:e,cuts:t,ask:n}){let{open:r,floor:o}=t,s=r.flat();if(!s.every((c,d)=>c<=e.ticks&&(d===0||c>s[d-1]))||s.length===2&&s[1]-s[0]===e.ticks||!xt(e)||!Oo(t,e))return!1;let a=()=>r.every(([c,d])=>it(o.sizes,c,d)===0);return o===null||Ao(o,e)&&a()&&ha(t,e)&&(n==="cells"||o.rule!=="withhold")}
var ma=({line:e,ring:t})=>xt(e)&&Oo(t,e)&&Ao(t,e)&&Ut($(ce(t).map(n=>n.units))),
Oo=({weights:e},{ticks:t})=>e.length===t-1&&Ut($(e)),
Ao=({sizes:e,least:t},{ticks:n})=>e.length===n&&Ut($(e))&&t<=$(e);
function ha({weights:e,floor:t},{ticks:n}){return e.some((r,o)=>{let s=[Z(t,[0,o+1]),Z(t,[o+1,n])];return r>0&&(t.rule==="skip"?s[0]&&s[1]:s[0]||s[1])})}
function ga({kind:e,blank:t,cuts:n,ring:r}){return e==="ring"?[t[1],$(ce(r).map(({units:o})=>o))]:[t[1],...Array(n.number).fill($(n.weights))]}
function wa(e,t,n,r){let o=Sn(e,dt(e,t,e.line.ticks),n,r);return An(e,n)?null:o}
function ba(e,t,{index:n,steps:r},o){let s=Te(e)?{...e,cuts:{...e.cuts,floor:fa}}:e;return oe(e,Sn(s,n,t,r),o)}
function ya(e,t,n){return Fe(e,t).filter(r=>be(e,r)!==void 0).map(r=>({index:be(e,r),label:oe(e,r,n),note:Te(e)&&!Z(e.cuts.floor,r)?n.words.tooNarrow:""}))}
function ka(e,t,n,r){let o=ya(e,t,r);return _e(e,n,r,{offered:o,...N.besideRanges?.(e,n,r)})}
function xa(e,t,n,r){let{words:o}=r,[s,i]=Fe(e,t),a=u=>yt(e,u,r),c=[{index:be(e,s),label:o.ringYes(a(s))},{index:be(e,i),label:o.ringNo(a(i))}],d=[p("h2",{className:"ask"},o.isIt(a(s)))];return _e(e,n,r,{offered:c,before:d})}
function Sa(e,t){let n=o=>e.some(o);return{lines:[[n(je),t.cardRange],[n(Jt),t.cardNarrow],[n(Te),t.cardWithheld]].flatMap(([o,s])=>o?[s]:[])}}
S.cuts=S.ring={maxLength:({line:e})=>`[${e.ticks},${e.ticks}]`.length,drawBounds:ga,isValid:({line:e},t)=>t.length===2&&t.every(n=>C(n,e.ticks+1)),encode:wa,label:oe,answerLabel:ba,describeLoss:ko,describeOdds:yo,recordHint:(e,t,{words:n})=>n.broadHint,isWithheld:Te,numberLabel:et,cardTexts:Sa,trail:So},Object.assign(H,{cuts:[la,pa],ring:[ua,ma]}),Object.assign(N,{cuts:ka,ring:xa});
