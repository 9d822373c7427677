var So=(e,t)=>e.kind==="table"?e.table.rows.filter(n=>n[t]>0).length===1:$.holdsOne?.(e,t),
Oo=$e(e=>e.kind!=="table"?$.canHoldOne?.(e):j(e)&&e.reports.some((t,n)=>So(e,n))),
id=(e,t)=>Oo(e)&&t.partly,
ad=(e,t)=>e.some(Oo)?{card:t.cardProof,check:t.checkProof}:{};
Object.assign($,{isProof:So,proofBadge:id,proofTexts:ad});
