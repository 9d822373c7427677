function treatsAlike({answers:s,reports:n,table:{rows:t}}){const[r]=t,l=(o,e)=>r[e<t.length?+(e!==o):e],a=(o,e)=>n[e]?.name===s[e].name&&o.every((k,i)=>k===l(e,i));return t.length>2&&t.every(a)}
var alikeText=(s,n,t,r)=>r.alike(s,n,t.map(l=>`, ${l}`).join(""));
function groupAlike(s,{words:n,inside:t}){if(!treatsAlike(s))return;const{reports:r,table:{rows:l}}=s,[a,{length:o}]=[l[0],l],e=[...r.keys()].filter(i=>i>=o&&a[i]>0),k=[a[0],sum(a.slice(1,o)),...e.map(i=>a[i])];return[[n.itself,n.another,...e.map(i=>t(r[i].label))],[k]]}
oddsTexts.treatsAlike=treatsAlike,oddsTexts.alikeText=alikeText,oddsTexts.groupAlike=groupAlike;
