function bt({lower:e,step:t,whole:n}){let[r,o]=[e,t].map(W);return o[0]>0n&&(!n||de(r)&&de(o))}
var ue=(...e)=>(t,n)=>e.some(r=>se(t,r,n)),
Mn={lower:ze,step:ze,ticks:[2,1e12],unit:I,"whole?":!0},
Un={...we,line:{...Mn,ticks:[2,1e5]},typed:ue(!0,!1),blank:En,about:We},
Wn={sizes:ut,least:On};
