function Wr({answers:e,coin:{answers:t,means:n,table:r,about:o,sets:s}}){let i=e.map((a,c)=>({...a,means:n[c]}));return{kind:"table",answers:t,reports:i,table:r,about:o,sets:s,blank:[0,1]}}
var ui={"coin?":{text:I,answers:Ht,means:[Dt,2],table:On,"sets?":[{...Ue,answers:Dt},2,ge],about:Fe}},
Kr=({coin:e})=>e;
function fi({questions:e}){for(let{coin:r,answers:o}of e.filter(Kr)){let s=r.sets?.flatMap(i=>i.answers)??r.answers.map((i,a)=>a);b(kn(r.table,r.answers,r.means)&&r.means.length===o.length,"coin"),b(j(s)&&s.length===r.answers.length&&Math.max(...s)<s.length,"coin.sets")}let t=r=>r.split(/[^\S\ufeff]+/).filter(Boolean).join(" ").toLowerCase(),n=e.flatMap(({coin:r})=>r?[...new Set(Object.values(r.text).map(t))]:[]);b(j(n),"coin")}
function pi(e,t,n){if(e.coin)return ae(Wr(e),[],t,n,[t.words.coin(t.inside(e.coin.text))])}
E.judged=e=>e.coin&&Wr(e),Object.assign(M.choice[0],ui),y({name:"coin",detect:({questions:e})=>e.some(Kr),validate:fi,wrap:{renderCoin:()=>pi}});
