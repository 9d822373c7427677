var Mi={apart:!0},
Di=({kind:e,coin:t})=>!["choice","number","text","sealed"].includes(e)||t!==void 0;
function Ui(e){let{questions:t,skips:n=[],about:r}=e,o=t.map(Di);w(new Set(o).size===2,"questions"),n.forEach(({question:i,after:a},c)=>w(o[i]===o[a],`skips[${c}]`));let s=["evidence","tablet",...t.some(({kind:i})=>i==="sealed")?[]:["seal"]];w(!s.some(i=>i in e)&&!("attention"in r),"apart")}
b({name:"apart",shapes:Mi,validate:Ui});
