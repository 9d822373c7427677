function eo({answers:e,coin:{answers:t,means:n,table:r,about:o,sets:s}}){let i=e.map((a,c)=>({...a,means:n[c]}));return{kind:"table",answers:t,reports:i,table:r,about:o,sets:s,blank:[0,1]}}
var Si={"coin?":{text:I,answers:Bt,means:[Pt,2],table:An,"sets?":[{...Ke,answers:Pt},2,ge],about:We}},
to=({coin:e})=>e;
function Oi({questions:e}){for(let{coin:r,answers:o}of e.filter(to)){let s=r.sets?.flatMap(i=>i.answers)??r.answers.map((i,a)=>a);b(xn(r.table,r.answers,r.means)&&r.means.length===o.length,"coin"),b(v(s)&&s.length===r.answers.length&&Math.max(...s)<s.length,"coin.sets")}let t=r=>r.split(/[^\S\ufeff]+/).filter(Boolean).join(" ").toLowerCase(),n=e.flatMap(({coin:r})=>r?[...new Set(Object.values(r.text).map(t))]:[]);b(v(n),"coin")}
function Ai(e,t,n){if(e.coin)return ce(eo(e),[],t,n,[t.words.coin(t.inside(e.coin.text))])}
E.judged=e=>e.coin&&eo(e),Object.assign(M.choice[0],Si),y({name:"coin",detect:({questions:e})=>e.some(to),validate:Oi,wrap:{renderCoin:()=>Ai}});
