var isOpen=({review:n})=>n!==void 0;
function renderSubmit(n){if(isOpen(n.form))return;const{speech:t,back:r,bind:d}=n,{words:e}=t,o=sendingLine(n),s=button(e.sendNow,()=>submit(n,s,o),"main");return[paragraph(`${e.differs} ${e.bindHint}`),buttons(button(e.bind,d)),o,buttons(button(e.back,r),s)]}
var wrapRecords=(n,{form:t,speech:r})=>isOpen(t)?n:[foldOut(r.words.bind,...n)];
register({name:"request",detect:isOpen,validate:({review:n})=>assert(n==="open","review"),wrap:{renderSubmit:()=>renderSubmit,wrapRecords:()=>wrapRecords}});
