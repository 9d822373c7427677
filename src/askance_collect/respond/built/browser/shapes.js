function yt({lower:e,step:t,whole:n}){let[r,o]=[e,t].map(W);return o[0]>0n&&(!n||de(r)&&de(o))}
var ue=(...e)=>(t,n)=>e.some(r=>se(t,r,n)),
Wn={lower:Qe,step:Qe,ticks:[2,1e12],unit:I,"whole?":!0},
Kn={...we,line:{...Wn,ticks:[2,1e5]},typed:ue(!0,!1),blank:Tn,about:Ke},
_n={sizes:ft,least:En};
function bt({lower:e,step:t,whole:n}){let[r,o]=[e,t].map(W);return o[0]>0n&&(!n||de(r)&&de(o))}
var fe=(...e)=>(t,n)=>e.some(r=>se(t,r,n)),
Mn={lower:ze,step:ze,ticks:[2,1e12],unit:N,"zero?":N,"one?":N,"two?":N,"few?":N,"many?":N,"lowest?":N,"highest?":N,"whole?":!0},
Wn={...be,line:{...Mn,ticks:[2,1e5]},typed:fe(!0,!1),blank:En,about:We},
Kn={sizes:ut,least:On};
