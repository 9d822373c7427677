function Or({answers:e,coin:{answers:t,means:n,table:r,about:o}}){let s=e.map((i,a)=>({...i,means:n[a]}));return{kind:"table",answers:t,reports:s,table:r,about:o,blank:[0,1]}}
function Bs(e,t,n){cn(Or({answers:t,coin:e}),n,"coin");let{text:r,means:o,sets:s}=e;return R(r,n)&&o.length===t.length&&(s===void 0||Hs(e,n))}
function Hs({answers:e,sets:t=[]},n){ye(t,n,"coin.sets");let r=t.flatMap(o=>E(o.answers)&&o.answers.length>0?o.answers:[-1]);return r.length===e.length&&M(r)&&r.every(o=>y(o,e.length))}
function Ps({questions:e}){let t=r=>r.split(/\s+/).join(" ").trim().toLowerCase(),n=e.flatMap(({coin:r})=>r?[...new Set(Object.values(r.text).map(t))]:[]);p(M(n),"coin")}
function Ms(e,t,n){if(!e.coin)return;let[,...r]=xe(Or(e),[],t,n);return[h(t.words.coin(t.inside(e.coin.text)),"badge guarded"),...r]}
k({name:"coin",detect:({questions:e})=>e.some(({coin:t})=>t),validate:Ps,wrap:{validateCoin:()=>Bs,renderCoin:()=>Ms}});
