var LARGEST_QUOTA=1e9;
function validateQuotas({quotas:n,questions:t}){assert(isList(n)&&n.length>0,"quotas"),n.forEach((e,r)=>assert(e!==null&&isQuota(e,t),`quotas[${r}]`)),assert(allDistinct(n.map(({question:e,answer:r})=>`${e} ${r}`)),"quotas")}
function isQuota({question:n,answer:t,most:e},r){if(!isIndex(n,r.length)||!isIndex(e,LARGEST_QUOTA+1))return!1;const{kind:i,coin:a,answers:s}=r[n];return i==="choice"&&a===void 0&&isIndex(t,s.length)&&e>0}
function isFull({form:{quotas:n=[]},draft:t,state:{full:e}}){return!isList(e)||t.isBound()?!1:n.some(({question:r,answer:i})=>e.some(s=>isList(s)&&s[0]===r&&s[1]===i)&&t.answer(r)?.index===i)}
var endFull=n=>(t,e)=>(t.by??0)<=0||!isFull(e)?n(t,e):(e.forget(),{type:"end",ending:"full"});
register({name:"quotas",detect:({quotas:n})=>n!==void 0,validate:validateQuotas,wrap:{redirectMove:endFull}});
