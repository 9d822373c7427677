var zn=({review:e})=>e!==void 0;
function Id(e){if(zn(e.form))return;let{speech:t,back:n,bind:r}=e,{words:o}=t,s=Dn(e),i=b(o.sendNow,()=>Un(e,i,s),"main");return[h(`${o.differs} ${o.bindHint}`),O(b(o.bind,r)),s,O(b(o.back,n),i)]}
var Nd=(e,{form:t,speech:n})=>zn(t)?e:[U(n.words.bind,...e)];
k({name:"request",detect:zn,validate:({review:e})=>p(e==="open","review"),wrap:{renderSubmit:()=>Id,wrapRecords:()=>Nd}});
var Rd={review:"open"},
Go=({review:e})=>e!==void 0;
function jd(e){if(Go(e.form))return;let{speech:t,back:n,bind:r}=e,{words:o}=t,s=er(e),i=w(o.sendNow,()=>tr(e,i,s),"main");return[m(`${o.differs} ${o.bindHint}`),x(w(o.bind,r)),s,x(w(o.back,n),i)]}
var Bd=(e,{form:t,speech:n})=>Go(t)?e:[D(n.words.bind,...e)];
y({name:"request",shapes:Rd,wrap:{renderSubmit:()=>jd,wrapRecords:()=>Bd}});
