function oo({answers:e,coin:{answers:t,means:n,table:r,about:o,sets:s}}){let i=e.map((a,c)=>({...a,means:n[c]}));return{kind:"table",answers:t,reports:i,table:r,about:o,sets:s,blank:[0,1]}}
var $i={"coin?":{text:A,answers:Dt,means:[Ut,2],table:In,"sets?":[{...ze,answers:Ut},2,ye],about:Ge}},
so=({coin:e})=>e;
function Ci({questions:e}){for(let{coin:r,answers:o}of e.filter(so)){let s=r.sets?.flatMap(i=>i.answers)??r.answers.map((i,a)=>a);w(Nn(r.table,r.answers,r.means)&&r.means.length===o.length,"coin"),w(H(s)&&s.length===r.answers.length&&Math.max(...s)<s.length,"coin.sets")}let t=r=>r.split(/[^\S\ufeff]+/).filter(Boolean).join(" ").toLowerCase(),n=e.flatMap(({coin:r})=>r?[...new Set(Object.values(r.text).map(t))]:[]);w(H(n),"coin")}
function Ri(e,t,n){if(e.coin)return de(oo(e),[],t,n,[t.words.coin(t.inside(e.coin.text))])}
T.judged=e=>e.coin&&oo(e),Object.assign(M.choice[0],$i),b({name:"coin",detect:({questions:e})=>e.some(so),validate:Ci,wrap:{renderCoin:()=>Ri}});
