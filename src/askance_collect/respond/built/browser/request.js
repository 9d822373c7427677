var qd={review:"open"},
ds=({review:e})=>e!==void 0;
function el(e){if(ds(e.form))return;let{speech:t,back:n,bind:r}=e,{words:o}=t,s=ar(e),i=b(o.sendNow,()=>cr(e,i,s),"main");return[h(`${o.differs} ${o.bindHint}`),S(b(o.bind,r)),s,S(b(o.back,n),i)]}
var tl=(e,{form:t,speech:n})=>ds(t)?e:[v(n.words.bind,...e)];
k({name:"request",shapes:qd,wrap:{renderSubmit:()=>el,wrapRecords:()=>tl}});
