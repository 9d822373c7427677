var gs={step:0,reached:0,returning:!1,isSending:!1},
Md={move:(e,{step:t,by:n=0,aside:r,returning:o=!1})=>({...e,step:t,aside:r,returning:o,reached:n<0||o?Math.max(e.reached,t):t}),retrace:(e,{step:t})=>({...e,step:t,aside:void 0,returning:!1}),turn:(e,{aside:t})=>({...e,aside:t}),send:e=>({...e,isSending:!0,failure:void 0}),retry:(e,{failure:t})=>({...e,isSending:!1,failure:t}),end:(e,{ending:t,receipt:n})=>({...e,isSending:!1,aside:void 0,ending:t,receipt:n}),update:(e,{change:t})=>({...e,...t})};
function ws(e,t){return Md[t.type](e,t)}
