var Di={apart:!0},
Ui=({kind:e,coin:t})=>!["choice","number","text","sealed"].includes(e)||t!==void 0;
function Wi(e){let{questions:t,skips:n=[],about:r}=e,o=t.map(Ui);w(new Set(o).size===2,"questions"),n.forEach(({question:i,after:a},c)=>w(o[i]===o[a],`skips[${c}]`));let s=["evidence","tablet",...t.some(({kind:i})=>i==="sealed")?[]:["seal"]];w(!s.some(i=>i in e)&&!("attention"in r),"apart")}
b({name:"apart",shapes:Di,validate:Wi});
