var sl={review:"open"},
ds=({review:e})=>e!==void 0;
function il(e){if(ds(e.form))return;let{speech:t,back:n,bind:r}=e,{words:o}=t,s=cr(e),i=b(o.sendNow,()=>dr(e,i,s),"main");return[h(`${o.differs} ${o.bindHint}`),S(b(o.bind,r)),s,S(b(o.back,n),i)]}
var al=(e,{form:t,speech:n})=>ds(t)?e:[v(n.words.bind,...e)];
y({name:"request",shapes:sl,wrap:{renderSubmit:()=>il,wrapRecords:()=>al}});
