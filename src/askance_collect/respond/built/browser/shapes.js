function yt({lower:e,step:t,whole:n}){let[r,o]=[e,t].map(W);return o[0]>0n&&(!n||le(r)&&le(o))}
var pe=(...e)=>(t,n)=>e.some(r=>ae(t,r,n)),
zn={lower:Ze,step:Ze,ticks:[2,1e12],unit:A,"zero?":A,"one?":A,"two?":A,"few?":A,"many?":A,"lowest?":A,"highest?":A,"whole?":!0},
Vn={...ke,line:{...zn,ticks:[2,1e5]},typed:pe(!0,!1),blank:$n,about:Ge},
Qn={sizes:pt,least:Ln};
