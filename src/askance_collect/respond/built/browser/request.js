var Wd={review:"open"},
Zo=({review:e})=>e!==void 0;
function Kd(e){if(Zo(e.form))return;let{speech:t,back:n,bind:r}=e,{words:o}=t,s=nr(e),i=w(o.sendNow,()=>rr(e,i,s),"main");return[m(`${o.differs} ${o.bindHint}`),S(w(o.bind,r)),s,S(w(o.back,n),i)]}
var _d=(e,{form:t,speech:n})=>Zo(t)?e:[D(n.words.bind,...e)];
y({name:"request",shapes:Wd,wrap:{renderSubmit:()=>Kd,wrapRecords:()=>_d}});
