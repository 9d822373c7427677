var LARGEST_TOTAL=281474976710656,
MOST_TICKS=1e5,
DEEPEST=64,
BLOCK=256,
NAME=/^[a-z][a-z0-9_]{0,39}$/,
LANGUAGE=/^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?(-x(-[A-Za-z0-9]{1,8})+)?$/,
ILLEGIBLE=/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\p{Cs}]/u,
COLLECTOR=/^(https?:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([A-Za-z0-9_.~-]+\/)*)?$/;
function readForm(t){const o=JSON.parse(t);assert(canonical(o)===t&&!exceedsLimits(o,1),"form");const{languages:n,questions:e}=o;assert(isList(n)&&n.length>0&&allDistinct(n),"languages"),assert(n.every(s=>matches(s,LANGUAGE)),"languages");for(const s of["title","consent","contact"])assert(isWording({...o}[s],n),s);assert(matches(o.collector,COLLECTOR),"collector"),assert(isObject(o.about),"about"),assert(isList(e)&&e.length>0,"questions"),e.forEach((s,r)=>checkQuestion(s,n,`questions[${r}]`));const c=e.map(({name:s})=>s);assert(allDistinct(c)&&c.every(s=>matches(s,NAME)),"name"),assert(o.size===bodySize(e),"size");const i=features.filter(({detect:s})=>s(o));i.forEach(({validate:s})=>s?.(o)),assert(o.ending===void 0||i.some(({name:s})=>s==="ending"),"ending");const a=i.some(({version:s=2})=>s>1);return assert(o.askance===(a?"form-2":"form-1"),"askance"),o}
function bodySize(t){const n=t.map(e=>`"${e.name}":,`.length+widest(e));return Math.ceil((128+sum(n))/BLOCK)*BLOCK}
function widest(t){const{kind:o,answers:n,reports:e}=t;return questionKinds[o]?questionKinds[o].maxLength(t):Math.max(4,`${(e??n).length-1}`.length)}
function checkQuestion(t,o,n){assert(isObject(t)&&Object.keys(validators).includes(t.kind),`${n}.kind`),assert(isWording(t.text,o),`${n}.text`),assert(t.groups===void 0||t.kind==="table",`${n}.groups`),assert(t.coin===void 0||t.kind==="choice",`${n}.coin`),validators[t.kind](t,o,n)}
var validators={choice({answers:t,coin:o},n,e){checkLabels(t,n,`${e}.answers`),assert(o===void 0||hooks.validateCoin(o,t,n),`${e}.coin`)},table:checkTable};
function checkTable({answers:t,reports:o,table:n,blank:e,about:c,groups:i},a,s){checkLabels(t,a,`${s}.answers`),checkLabels(o,a,`${s}.reports`),checkBlank(e,`${s}.blank`),assert(c!==void 0,`${s}.about`),assert(isObject(n)&&isWhole(n.total)&&isTotal(n.total),`${s}.table.total`),assert(isList(n.rows)&&n.rows.length===t.length,`${s}.table.rows`);for(const r of n.rows)assert(isList(r)&&r.length===o.length&&r.every(isWhole),`${s}.table.rows`),assert(sum(r)===n.total,`${s}.table.rows`);for(const{means:r}of o)assert(isList(r)&&r.length>0&&allDistinct(r),`${s}.reports`),assert(r.every(f=>isIndex(f,t.length)),`${s}.reports`);assert(i===void 0||hooks.validateGroups(i,n,a),`${s}.groups`)}
function checkLine(t,o,n,e=MOST_TICKS){assert(isObject(t)&&isWording(t.unit,o),n),assert(isIndex(t.ticks,e+1)&&t.ticks>=2,`${n}.ticks`);const[c,i]=[fraction(t.lower),fraction(t.step)];assert(c!==void 0&&i!==void 0&&i[0]>0n,n),assert(t.whole===void 0||t.whole===!0&&isInteger(c)&&isInteger(i),`${n}.whole`)}
function checkLabels(t,o,n){assert(isList(t)&&t.length>=2&&t.every(isObject),n),assert(t.every(({name:e})=>isLegible(e)&&e!==""),n),assert(allDistinct(t.map(({name:e})=>e)),n),assert(t.every(({label:e})=>isWording(e,o)),n)}
function checkBlank(t,o){assert(isList(t)&&t.length===2&&t.every(isWhole),o),assert(t[0]<t[1]&&isTotal(t[1]),o)}
function isWording(t,o){return!isObject(t)||Object.keys(t).length!==o.length?!1:o.every(n=>Object.hasOwn(t,n)&&isLegible(t[n]))}
var matches=(t,o)=>typeof t=="string"&&o.test(t),
isLegible=t=>typeof t=="string"&&!ILLEGIBLE.test(t),
isList=t=>Array.isArray(t),
isObject=t=>t!==null&&typeof t=="object"&&!isList(t),
isWhole=t=>isIndex(t,1/0),
isTotal=t=>isIndex(t-1,LARGEST_TOTAL),
allDistinct=t=>new Set(t).size===t.length;
function exceedsLimits(t,o){return typeof t=="number"?!Number.isSafeInteger(t):!isObject(t)&&!isList(t)?!1:o>DEEPEST||Object.values(t).some(n=>exceedsLimits(n,o+1))}
function assert(t,o){if(!t)throw new TypeError(o)}
