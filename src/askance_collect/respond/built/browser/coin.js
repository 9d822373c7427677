function fo({answers:e,coin:{answers:t,means:n,table:r,about:o,sets:s}}){let i=e.map((a,c)=>({...a,means:n[c]}));return{kind:"table",answers:t,reports:i,table:r,about:o,sets:s,blank:[0,1]}}
var Gi={"coin?":{text:O,answers:Qe,means:[Wt,2],table:vn,"sets?":[{...Ve,answers:Wt},2,Se],about:ze}},
po=({coin:e})=>e;
function zi({questions:e}){for(let{coin:r,answers:o}of e.filter(po)){let s=r.sets?.flatMap(i=>i.answers)??r.answers.map((i,a)=>a);w(Cn(r.table,r.answers,r.means)&&r.means.length===o.length,"coin"),w(P(s)&&s.length===r.answers.length&&Math.max(...s)<s.length,"coin.sets")}let t=r=>r.split(/[^\S\ufeff]+/).filter(Boolean).join(" ").toLowerCase(),n=e.flatMap(({coin:r})=>r?[...new Set(Object.values(r.text).map(t))]:[]);w(P(n),"coin")}
function Vi(e,t,n){if(e.coin)return pe(fo(e),[],t,n,[t.words.coin(t.inside(e.coin.text))])}
E.judged=e=>e.coin&&fo(e),Object.assign(H.choice[0],Gi),b({name:"coin",detect:({questions:e})=>e.some(po),validate:zi,wrap:{renderCoin:()=>Vi}});
