var Hi={...Dn,cuts:{number:[1,16],weights:lt,floor:le(null,{...Mn,rule:/^(skip|withhold)$/}),open:[[[0],2,void 0,2],0]},ask:/^(cells|narrow)$/},
Pi={...Dn,ring:{...Mn,weights:lt},ask:"cells"},
Di=null;
function Mi({line:e,cuts:t,ask:n}){let{open:r,floor:o}=t,s=r.flat();if(!s.every((c,d)=>c<=e.ticks&&(d===0||c>s[d-1]))||s.length===2&&s[1]-s[0]===e.ticks||!yt(e)||!no(t,e))return!1;let a=()=>r.every(([c,d])=>qe(o.sizes,c,d)===0);return o===null||ro(o,e)&&a()&&Ui(t,e)&&(n==="cells"||o.rule!=="withhold")}
var Fi=({line:e,ring:t})=>yt(e)&&no(t,e)&&ro(t,e)&&Pt(C(re(t).map(n=>n.units))),
no=({weights:e},{ticks:t})=>e.length===t-1&&Pt(C(e)),
ro=({sizes:e,least:t},{ticks:n})=>e.length===n&&Pt(C(e))&&t<=C(e);
function Ui({weights:e,floor:t},{ticks:n}){return e.some((r,o)=>{let s=[Q(t,[0,o+1]),Q(t,[o+1,n])];return r>0&&(t.rule==="skip"?s[0]&&s[1]:s[0]||s[1])})}
function Wi({kind:e,blank:t,cuts:n,ring:r}){return e==="ring"?[t[1],C(re(r).map(({units:o})=>o))]:[t[1],...Array(n.number).fill(C(n.weights))]}
function Ki(e,t,n,r){let o=pn(e,nt(e,t,e.line.ticks),n,r);return hn(e,n)?null:o}
function _i(e,t,{index:n,steps:r},o){let s=Se(e)?{...e,cuts:{...e.cuts,floor:Di}}:e;return de(e,pn(s,n,t,r),o)}
function Gi(e,t,n){return ve(e,t).filter(r=>fe(e,r)!==void 0).map(r=>({index:fe(e,r),label:de(e,r,n),note:Se(e)&&!Q(e.cuts.floor,r)?n.words.tooNarrow:""}))}
function zi(e,t,n,r){let o=ee(e),s=Gi(e,t,r);if(o.length===0)return ct(e,n,r,{offered:s});let i=T.exact(e,n,r),a={[o[o.length-1][0]===0?"before":"after"]:i.nodes};return ct(e,n,r,{offered:s,...a,exact:i})}
function Vi(e,t,n,r){let{words:o}=r,[s,i]=ve(e,t),a=u=>wt(e,u,r),c=[{index:fe(e,s),label:o.ringYes(a(s))},{index:fe(e,i),label:o.ringNo(a(i))}],d=[p("h2",{className:"ask"},o.isIt(a(s)))];return ct(e,n,r,{offered:c,before:d})}
function oo(e,[t,n]){return ee(e).some(([r,o])=>r<=t&&n<=o&&t<n)}
function Qi(e,t){let n=s=>e.some(s),r=n(s=>ee(s).length>0);return{lines:[[n(Ie),t.cardRange],[n(Gt),t.cardNarrow],[n(Se),t.cardWithheld],[r,t.cardExact]].flatMap(([s,i])=>s?[i]:[]),hidden:r?t.cardHiddenElse:t.cardHidden}}
A.cuts=A.ring={maxLength:({line:e})=>`[${e.ticks},${e.ticks}]`.length,drawBounds:Wi,isValid:({line:e},t)=>t.length===2&&t.every(n=>$(n,e.ticks+1)),encode:Ki,label:de,answerLabel:_i,describeLoss:qr,describeOdds:Yr,recordHint:(e,t,{words:n})=>oo(e,t)?n.exactHint:n.broadHint,isExact:oo,isWithheld:Se,numberLabel:Ve,cardTexts:Qi,trail:to},Object.assign(M,{cuts:[Hi,Mi],ring:[Pi,Fi]}),Object.assign(T,{cuts:zi,ring:Vi});
