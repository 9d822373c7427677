var Pl={review:"open"},
Ss=({review:e})=>e!==void 0;
function Fl(e){if(Ss(e.form))return;let{speech:t,back:n,bind:r}=e,{words:o}=t,s=br(e),i=y(o.sendNow,()=>yr(e,i,s),"main");return[h(`${o.differs} ${o.bindHint}`),A(y(o.bind,r)),s,A(y(o.back,n),i)]}
var Ml=(e,{form:t,speech:n})=>Ss(t)?e:[B(n.words.bind,...e)];
b({name:"request",shapes:Pl,wrap:{renderSubmit:()=>Fl,wrapRecords:()=>Ml}});
