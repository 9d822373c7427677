function bt({lower:e,step:t,whole:n}){let[r,o]=[e,t].map(W);return o[0]>0n&&(!n||ie(r)&&ie(o))}
var ce=(...e)=>(t,n)=>e.some(r=>oe(t,r,n)),
Hn={lower:Ge,step:Ge,ticks:[2,1e12],unit:$,"whole?":!0},
Pn={...he,line:{...Hn,ticks:[2,1e5]},typed:ce(!0,!1),blank:On,about:De},
Dn={sizes:lt,least:xn};
