function fo({answers:e,coin:{answers:t,means:n,table:r,about:o,sets:s}}){let i=e.map((a,c)=>({...a,means:n[c]}));return{kind:"table",answers:t,reports:i,table:r,about:o,sets:s,blank:[0,1]}}
var Ui={"coin?":{text:A,answers:Dt,means:[Wt,2],table:Cn,"sets?":[{...ze,answers:Wt},2,xe],about:Ge}},
po=({coin:e})=>e;
function Wi({questions:e}){for(let{coin:r,answers:o}of e.filter(po)){let s=r.sets?.flatMap(i=>i.answers)??r.answers.map((i,a)=>a);w(Ln(r.table,r.answers,r.means)&&r.means.length===o.length,"coin"),w(H(s)&&s.length===r.answers.length&&Math.max(...s)<s.length,"coin.sets")}let t=r=>r.split(/[^\S\ufeff]+/).filter(Boolean).join(" ").toLowerCase(),n=e.flatMap(({coin:r})=>r?[...new Set(Object.values(r.text).map(t))]:[]);w(H(n),"coin")}
function _i(e,t,n){if(e.coin)return ue(fo(e),[],t,n,[t.words.coin(t.inside(e.coin.text))])}
N.judged=e=>e.coin&&fo(e),Object.assign(M.choice[0],Ui),b({name:"coin",detect:({questions:e})=>e.some(po),validate:Wi,wrap:{renderCoin:()=>_i}});
