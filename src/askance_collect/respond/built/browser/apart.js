var Ei={apart:!0},
Ni=({kind:e,coin:t})=>!["choice","number","text"].includes(e)||t!==void 0;
function Ti(e){let{questions:t,skips:n=[],about:r}=e,o=t.map(Ni);w(new Set(o).size===2,"questions"),n.forEach(({question:s,after:i},a)=>w(o[s]===o[i],`skips[${a}]`)),w(!["evidence","tablet","seal"].some(s=>s in e)&&!("attention"in r),"apart")}
b({name:"apart",shapes:Ei,validate:Ti});
