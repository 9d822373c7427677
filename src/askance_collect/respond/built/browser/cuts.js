var MOST_CUTS=16,
NO_FLOOR=null;
function checkCuts(e,t,n){const{line:s,cuts:i,ask:r}=e;checkRange(e,t,n),assert(isObject(i)&&isIndex(i.number,MOST_CUTS+1)&&i.number>0,`${n}.cuts`),checkWeights(i.weights,s,`${n}.cuts.weights`),checkOpen(i.open,s,`${n}.cuts.open`),assert(i.floor!==void 0,`${n}.cuts.floor`),assert(r==="cells"||r==="narrow",`${n}.ask`),i.floor!==null&&checkRule(i,s,`${n}.cuts.floor`),assert(r==="cells"||i.floor?.rule!=="withhold",`${n}.ask`)}
function checkRing(e,t,n){const{line:s,ring:i,ask:r}=e;checkRange(e,t,n),assert(r==="cells",`${n}.ask`),assert(isObject(i),`${n}.ring`),checkWeights(i.weights,s,`${n}.ring.weights`),checkFloor(i,s,`${n}.ring`);const a=sum(pairRows(i).map(c=>c.units));assert(isTotal(a),`${n}.ring`)}
function checkRange({line:e,typed:t,blank:n,about:s},i,r){checkLine(e,i,`${r}.line`),checkBlank(n,`${r}.blank`),assert(s!==void 0&&typeof t=="boolean",r)}
function checkWeights(e,t,n){assert(isList(e)&&e.length===t.ticks-1&&e.every(isWhole),n),assert(isTotal(sum(e)),n)}
function checkOpen(e,{ticks:t},n){assert(isList(e)&&e.every(i=>isList(i)&&i.length===2),n);const s=e.flat();assert(s.every((i,r)=>isIndex(i,t+1)&&(r===0||i>s[r-1])),n),assert(!(e.length===1&&s[0]===0&&s[1]===t),n)}
function checkFloor({sizes:e,least:t},{ticks:n},s){assert(isList(e)&&e.length===n&&e.every(isWhole),s),assert(isTotal(sum(e))&&isWhole(t)&&isIndex(t-1,sum(e)),s)}
function checkRule(e,t,n){const{floor:s,open:i}=e;assert(isObject(s)&&(s.rule==="skip"||s.rule==="withhold"),n),checkFloor(s,t,n),assert(i.every(([r,a])=>between(s.sizes,r,a)===0),n),assert(someRange(e,t),n)}
function someRange({weights:e,floor:t},{ticks:n}){return e.some((s,i)=>{const r=[keeps(t,[0,i+1]),keeps(t,[i+1,n])];return s>0&&(t.rule==="skip"?r[0]&&r[1]:r[0]||r[1])})}
function rangeDrawn({kind:e,blank:t,cuts:n,ring:s}){return e==="ring"?[t[1],sum(pairRows(s).map(({units:i})=>i))]:[t[1],...Array(n.number).fill(sum(n.weights))]}
function rangeSent(e,t,n,s){const i=cellOf(e,checked(e,t,e.line.ticks),n,s);return isBlank(e,n)?null:i}
function rangeGiven(e,t,{index:n,steps:s},i){const r=isWithheld(e)?{...e,cuts:{...e.cuts,floor:NO_FLOOR}}:e;return rangeLabel(e,cellOf(r,n,t,s),i)}
function rangesOf(e,t,n){return cells(e,t).filter(s=>stepIn(e,s)!==void 0).map(s=>({index:stepIn(e,s),label:rangeLabel(e,s,n),note:isWithheld(e)&&!keeps(e.cuts.floor,s)?n.words.tooNarrow:""}))}
function cutsField(e,t,n,s){const i=openOf(e),r=rangesOf(e,t,s);if(i.length===0)return radioField(e,n,s,{offered:r});const a=fieldTypes.exact(e,n,s),c={[i[i.length-1][0]===0?"before":"after"]:a.nodes};return radioField(e,n,s,{offered:r,...c,exact:a})}
function ringField(e,t,n,s){const{words:i}=s,[r,a]=cells(e,t),c=d=>rangePhrase(e,d,s),l=[{index:stepIn(e,r),label:i.ringYes(c(r))},{index:stepIn(e,a),label:i.ringNo(c(a))}],o=[element("h2",{className:"ask"},i.isIt(c(r)))];return radioField(e,n,s,{offered:l,before:o})}
function isExact(e,[t,n]){return openOf(e).some(([s,i])=>s<=t&&n<=i&&t<n)}
function rangeCard(e,t){const n=r=>e.some(r),s=n(r=>openOf(r).length>0);return{lines:[[n(isRange),t.cardRange],[n(isNarrowed),t.cardNarrow],[n(isWithheld),t.cardWithheld],[s,t.cardExact]].flatMap(([r,a])=>r?[a]:[]),hidden:s?t.cardHiddenElse:t.cardHidden}}
questionKinds.cuts=questionKinds.ring={maxLength:({line:e})=>`[${e.ticks},${e.ticks}]`.length,drawBounds:rangeDrawn,isValid:({line:e},t)=>t.length===2&&t.every(n=>isIndex(n,e.ticks+1)),encode:rangeSent,label:rangeLabel,answerLabel:rangeGiven,describeLoss:rangeTells,describeOdds:rangeSentences,recordHint:(e,t,{words:n})=>isExact(e,t)?n.exactHint:n.broadHint,isExact,isWithheld,cardTexts:rangeCard,trail:openTrail},Object.assign(validators,{cuts:checkCuts,ring:checkRing}),Object.assign(fieldTypes,{cuts:cutsField,ring:ringField});
