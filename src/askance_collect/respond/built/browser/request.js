var Dn=({review:e})=>e!==void 0;
function md(e){if(Dn(e.form))return;let{speech:t,back:n,bind:r}=e,{words:o}=t,s=jn(e),i=b(o.sendNow,()=>Bn(e,i,s),"main");return[h(`${o.differs} ${o.bindHint}`),S(b(o.bind,r)),s,S(b(o.back,n),i)]}
var hd=(e,{form:t,speech:n})=>Dn(t)?e:[U(n.words.bind,...e)];
k({name:"request",detect:Dn,validate:({review:e})=>p(e==="open","review"),wrap:{renderSubmit:()=>md,wrapRecords:()=>hd}});
