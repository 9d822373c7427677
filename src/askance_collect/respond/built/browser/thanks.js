var Fu=()=>([e,t,...n],r,{form:o,speech:s})=>{let{thanks:i}=o.ending,a=i&&r==="receipt"?K(s.text(i)):[];return[e,t,...a,...n]};
b({name:"ending",shapes:{ending:R({thanks:O})},wrap:{renderEnding:Fu}});
