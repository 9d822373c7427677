function no({answers:e,coin:{answers:t,means:n,table:r,about:o,sets:s}}){let i=e.map((a,c)=>({...a,means:n[c]}));return{kind:"table",answers:t,reports:i,table:r,about:o,sets:s,blank:[0,1]}}
var Li={"coin?":{text:E,answers:Dt,means:[Mt,2],table:Nn,"sets?":[{...Ge,answers:Mt},2,we],about:_e}},
ro=({coin:e})=>e;
function Ii({questions:e}){for(let{coin:r,answers:o}of e.filter(ro)){let s=r.sets?.flatMap(i=>i.answers)??r.answers.map((i,a)=>a);w(On(r.table,r.answers,r.means)&&r.means.length===o.length,"coin"),w(B(s)&&s.length===r.answers.length&&Math.max(...s)<s.length,"coin.sets")}let t=r=>r.split(/[^\S\ufeff]+/).filter(Boolean).join(" ").toLowerCase(),n=e.flatMap(({coin:r})=>r?[...new Set(Object.values(r.text).map(t))]:[]);w(B(n),"coin")}
function $i(e,t,n){if(e.coin)return ce(no(e),[],t,n,[t.words.coin(t.inside(e.coin.text))])}
N.judged=e=>e.coin&&no(e),Object.assign(M.choice[0],Li),y({name:"coin",detect:({questions:e})=>e.some(ro),validate:Ii,wrap:{renderCoin:()=>$i}});
