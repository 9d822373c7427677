var qd={review:"open"},
ds=({review:e})=>e!==void 0;
function el(e){if(ds(e.form))return;let{speech:t,back:n,bind:r}=e,{words:o}=t,s=ar(e),i=b(o.sendNow,()=>cr(e,i,s),"main");return[h(`${o.differs} ${o.bindHint}`),S(b(o.bind,r)),s,S(b(o.back,n),i)]}
var tl=(e,{form:t,speech:n})=>ds(t)?e:[v(n.words.bind,...e)];
k({name:"request",shapes:qd,wrap:{renderSubmit:()=>el,wrapRecords:()=>tl}});
var Xd={review:"open"},
as=({review:e})=>e!==void 0;
function Yd(e){if(as(e.form))return;let{speech:t,back:n,bind:r}=e,{words:o}=t,s=ir(e),i=w(o.sendNow,()=>ar(e,i,s),"main");return[h(`${o.differs} ${o.bindHint}`),S(w(o.bind,r)),s,S(w(o.back,n),i)]}
var qd=(e,{form:t,speech:n})=>as(t)?e:[F(n.words.bind,...e)];
y({name:"request",shapes:Xd,wrap:{renderSubmit:()=>Yd,wrapRecords:()=>qd}});
