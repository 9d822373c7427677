var initialState={step:0,reached:0,returning:!1,isSending:!1},
EVENTS={move:(e,{step:a,by:i=0,aside:r,returning:n=!1})=>({...e,step:a,aside:r,returning:n,reached:i<0||n?Math.max(e.reached,a):a}),retrace:(e,{step:a})=>({...e,step:a,aside:void 0,returning:!1}),turn:(e,{aside:a})=>({...e,aside:a}),send:e=>({...e,isSending:!0,failure:void 0}),retry:(e,{failure:a})=>({...e,isSending:!1,failure:a}),end:(e,{ending:a,receipt:i})=>({...e,isSending:!1,aside:void 0,ending:a,receipt:i}),update:(e,{change:a})=>({...e,...a})};
function reduce(e,a){return EVENTS[a.type](e,a)}
