function xt({lower:e,step:t,whole:n}){let[r,o]=[e,t].map(W);return o[0]>0n&&(!n||me(r)&&me(o))}
var ge=(...e)=>(t,n)=>e.some(r=>le(t,r,n)),
Jn={lower:Ye,step:Ye,ticks:[2,1e12],unit:O,"zero?":O,"one?":O,"two?":O,"few?":O,"many?":O,"lowest?":O,"highest?":O,"whole?":!0},
Zn={...re,line:{...Jn,ticks:[2,1e5]},typed:ge(!0,!1),blank:Bn,about:ze},
Xn={sizes:ht,least:jn};
