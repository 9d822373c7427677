var nl={review:"open"},
ds=({review:e})=>e!==void 0;
function rl(e){if(ds(e.form))return;let{speech:t,back:n,bind:r}=e,{words:o}=t,s=cr(e),i=b(o.sendNow,()=>dr(e,i,s),"main");return[h(`${o.differs} ${o.bindHint}`),S(b(o.bind,r)),s,S(b(o.back,n),i)]}
var ol=(e,{form:t,speech:n})=>ds(t)?e:[j(n.words.bind,...e)];
k({name:"request",shapes:nl,wrap:{renderSubmit:()=>rl,wrapRecords:()=>ol}});
