var Sl={review:"open"},
ws=({review:e})=>e!==void 0;
function Ol(e){if(ws(e.form))return;let{speech:t,back:n,bind:r}=e,{words:o}=t,s=gr(e),i=y(o.sendNow,()=>wr(e,i,s),"main");return[h(`${o.differs} ${o.bindHint}`),S(y(o.bind,r)),s,S(y(o.back,n),i)]}
var Al=(e,{form:t,speech:n})=>ws(t)?e:[j(n.words.bind,...e)];
b({name:"request",shapes:Sl,wrap:{renderSubmit:()=>Ol,wrapRecords:()=>Al}});
