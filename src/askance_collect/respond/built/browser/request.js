var zd={review:"open"},
os=({review:e})=>e!==void 0;
function Vd(e){if(os(e.form))return;let{speech:t,back:n,bind:r}=e,{words:o}=t,s=sr(e),i=w(o.sendNow,()=>ir(e,i,s),"main");return[h(`${o.differs} ${o.bindHint}`),S(w(o.bind,r)),s,S(w(o.back,n),i)]}
var Qd=(e,{form:t,speech:n})=>os(t)?e:[F(n.words.bind,...e)];
y({name:"request",shapes:zd,wrap:{renderSubmit:()=>Vd,wrapRecords:()=>Qd}});
