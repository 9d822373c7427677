function yt({lower:e,step:t,whole:n}){let[r,o]=[e,t].map(W);return o[0]>0n&&(!n||de(r)&&de(o))}
var fe=(...e)=>(t,n)=>e.some(r=>se(t,r,n)),
Kn={lower:Qe,step:Qe,ticks:[2,1e12],unit:T,"zero?":T,"one?":T,"two?":T,"few?":T,"many?":T,"lowest?":T,"highest?":T,"whole?":!0},
_n={...be,line:{...Kn,ticks:[2,1e5]},typed:fe(!0,!1),blank:Tn,about:Ke},
Gn={sizes:ft,least:En};
