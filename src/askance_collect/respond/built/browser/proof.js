var isProof=(r,e)=>r.kind==="table"?r.table.rows.filter(o=>o[e]>0).length===1:oddsTexts.holdsOne?.(r,e),
canProve=once(r=>r.kind!=="table"?oddsTexts.canHoldOne?.(r):isProtected(r)&&r.reports.some((e,o)=>isProof(r,o))),
proofBadge=(r,e)=>canProve(r)&&e.partly,
proofTexts=(r,e)=>r.some(canProve)?{card:e.cardProof,check:e.checkProof}:{};
Object.assign(oddsTexts,{isProof,proofBadge,proofTexts});
