var Kn=({review:e})=>e!==void 0;
function kd(e){if(Kn(e.form))return;let{speech:t,back:n,bind:r}=e,{words:o}=t,s=Pn(e),i=b(o.sendNow,()=>Mn(e,i,s),"main");return[h(`${o.differs} ${o.bindHint}`),S(b(o.bind,r)),s,S(b(o.back,n),i)]}
var xd=(e,{form:t,speech:n})=>Kn(t)?e:[U(n.words.bind,...e)];
k({name:"request",detect:Kn,validate:({review:e})=>p(e==="open","review"),wrap:{renderSubmit:()=>kd,wrapRecords:()=>xd}});
