function judged({answers:n,coin:{answers:t,means:i,table:e,about:r}}){const a=n.map((o,s)=>({...o,means:i[s]}));return{kind:"table",answers:t,reports:a,table:e,about:r,blank:[0,1]}}
function isCoin(n,t,i){checkTable(judged({answers:t,coin:n}),i,"coin");const{text:e,means:r,sets:a}=n;return isWording(e,i)&&r.length===t.length&&(a===void 0||arePartsOf(n,i))}
function arePartsOf({answers:n,sets:t=[]},i){checkLabels(t,i,"coin.sets");const e=t.flatMap(r=>isList(r.answers)&&r.answers.length>0?r.answers:[-1]);return e.length===n.length&&allDistinct(e)&&e.every(r=>isIndex(r,n.length))}
function validateCoins({questions:n}){const t=e=>e.split(/\s+/).join(" ").trim().toLowerCase(),i=n.flatMap(({coin:e})=>e?[...new Set(Object.values(e.text).map(t))]:[]);assert(allDistinct(i),"coin")}
function renderCoin(n,t,i){if(!n.coin)return;const[,...e]=protection(judged(n),[],t,i);return[paragraph(t.words.coin(t.inside(n.coin.text)),"badge guarded"),...e]}
register({name:"coin",detect:({questions:n})=>n.some(({coin:t})=>t),validate:validateCoins,wrap:{validateCoin:()=>isCoin,renderCoin:()=>renderCoin}});
