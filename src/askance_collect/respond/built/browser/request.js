var Jd={review:"open"},
as=({review:e})=>e!==void 0;
function Zd(e){if(as(e.form))return;let{speech:t,back:n,bind:r}=e,{words:o}=t,s=sr(e),i=w(o.sendNow,()=>ir(e,i,s),"main");return[h(`${o.differs} ${o.bindHint}`),S(w(o.bind,r)),s,S(w(o.back,n),i)]}
var Xd=(e,{form:t,speech:n})=>as(t)?e:[F(n.words.bind,...e)];
y({name:"request",shapes:Jd,wrap:{renderSubmit:()=>Zd,wrapRecords:()=>Xd}});
