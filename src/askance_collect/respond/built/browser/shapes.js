function yt({lower:e,step:t,whole:n}){let[r,o]=[e,t].map(W);return o[0]>0n&&(!n||ce(r)&&ce(o))}
var le=(...e)=>(t,n)=>e.some(r=>oe(t,r,n)),
Pn={lower:Ge,step:Ge,ticks:[2,1e12],unit:I,"whole?":!0},
Dn={...we,line:{...Pn,ticks:[2,1e5]},typed:le(!0,!1),blank:An,about:Fe},
Mn={sizes:lt,least:Sn};
