var jl={review:"open"},
xs=({review:e})=>e!==void 0;
function vl(e){if(xs(e.form))return;let{speech:t,back:n,bind:r}=e,{words:o}=t,s=kr(e),i=y(o.sendNow,()=>xr(e,i,s),"main");return[h(`${o.differs} ${o.bindHint}`),S(y(o.bind,r)),s,S(y(o.back,n),i)]}
var Bl=(e,{form:t,speech:n})=>xs(t)?e:[v(n.words.bind,...e)];
b({name:"request",shapes:jl,wrap:{renderSubmit:()=>vl,wrapRecords:()=>Bl}});
