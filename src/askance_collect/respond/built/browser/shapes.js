function yt({lower:e,step:t,whole:n}){let[r,o]=[e,t].map(W);return o[0]>0n&&(!n||de(r)&&de(o))}
var fe=(...e)=>(t,n)=>e.some(r=>ie(t,r,n)),
Kn={lower:Je,step:Je,ticks:[2,1e12],unit:E,"zero?":E,"one?":E,"two?":E,"few?":E,"many?":E,"lowest?":E,"highest?":E,"whole?":!0},
_n={...be,line:{...Kn,ticks:[2,1e5]},typed:fe(!0,!1),blank:Tn,about:_e},
Gn={sizes:pt,least:En};
