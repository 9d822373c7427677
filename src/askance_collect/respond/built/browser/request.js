var ml={review:"open"},
us=({review:e})=>e!==void 0;
function hl(e){if(us(e.form))return;let{speech:t,back:n,bind:r}=e,{words:o}=t,s=lr(e),i=y(o.sendNow,()=>ur(e,i,s),"main");return[h(`${o.differs} ${o.bindHint}`),S(y(o.bind,r)),s,S(y(o.back,n),i)]}
var gl=(e,{form:t,speech:n})=>us(t)?e:[v(n.words.bind,...e)];
b({name:"request",shapes:ml,wrap:{renderSubmit:()=>hl,wrapRecords:()=>gl}});
