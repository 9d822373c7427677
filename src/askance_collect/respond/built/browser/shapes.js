function kt({lower:e,step:t,whole:n}){let[r,o]=[e,t].map(W);return o[0]>0n&&(!n||fe(r)&&fe(o))}
var he=(...e)=>(t,n)=>e.some(r=>de(t,r,n)),
Jn={lower:Ze,step:Ze,ticks:[2,1e12],unit:A,"zero?":A,"one?":A,"two?":A,"few?":A,"many?":A,"lowest?":A,"highest?":A,"whole?":!0},
Zn={...ne,line:{...Jn,ticks:[2,1e5]},typed:he(!0,!1),blank:Rn,about:Ge},
Xn={sizes:mt,least:$n};
