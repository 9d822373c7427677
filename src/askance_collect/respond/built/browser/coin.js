function mo({answers:e,coin:{answers:t,means:n,table:r,about:o,sets:s}}){let i=e.map((a,c)=>({...a,means:n[c]}));return{kind:"table",answers:t,reports:i,table:r,about:o,sets:s,blank:[0,1]}}
var Ki={"coin?":{text:O,answers:Qe,means:[Wt,2],table:Rn,"sets?":[{...Ve,answers:Wt},2,Se],about:ze}},
ho=({coin:e})=>e;
function Gi({questions:e}){for(let{coin:r,answers:o}of e.filter(ho)){let s=r.sets?.flatMap(i=>i.answers)??r.answers.map((i,a)=>a);w(In(r.table,r.answers,r.means)&&r.means.length===o.length,"coin"),w(P(s)&&s.length===r.answers.length&&Math.max(...s)<s.length,"coin.sets")}let t=r=>r.split(/[^\S\ufeff]+/).filter(Boolean).join(" ").toLowerCase(),n=e.flatMap(({coin:r})=>r?[...new Set(Object.values(r.text).map(t))]:[]);w(P(n),"coin")}
function zi(e,t,n){if(e.coin)return fe(mo(e),[],t,n,[t.words.coin(t.inside(e.coin.text))])}
E.judged=e=>e.coin&&mo(e),Object.assign(H.choice[0],Ki),b({name:"coin",detect:({questions:e})=>e.some(ho),validate:Gi,wrap:{renderCoin:()=>zi}});
