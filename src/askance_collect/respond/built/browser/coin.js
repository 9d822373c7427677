function to({answers:e,coin:{answers:t,means:n,table:r,about:o,sets:s}}){let i=e.map((a,c)=>({...a,means:n[c]}));return{kind:"table",answers:t,reports:i,table:r,about:o,sets:s,blank:[0,1]}}
var Ei={"coin?":{text:I,answers:Ft,means:[Mt,2],table:Nn,"sets?":[{..._e,answers:Mt},2,ge],about:Ke}},
no=({coin:e})=>e;
function Ni({questions:e}){for(let{coin:r,answers:o}of e.filter(no)){let s=r.sets?.flatMap(i=>i.answers)??r.answers.map((i,a)=>a);w(On(r.table,r.answers,r.means)&&r.means.length===o.length,"coin"),w(j(s)&&s.length===r.answers.length&&Math.max(...s)<s.length,"coin.sets")}let t=r=>r.split(/[^\S\ufeff]+/).filter(Boolean).join(" ").toLowerCase(),n=e.flatMap(({coin:r})=>r?[...new Set(Object.values(r.text).map(t))]:[]);w(j(n),"coin")}
function Ti(e,t,n){if(e.coin)return ce(to(e),[],t,n,[t.words.coin(t.inside(e.coin.text))])}
E.judged=e=>e.coin&&to(e),Object.assign(M.choice[0],Ei),k({name:"coin",detect:({questions:e})=>e.some(no),validate:Ni,wrap:{renderCoin:()=>Ti}});
var Si={"coin?":{text:N,answers:Bt,means:[Pt,2],table:An,"sets?":[{...Ke,answers:Pt},2,we],about:We}},
no=({coin:e})=>e;
function Oi({questions:e}){for(let{coin:r,answers:o}of e.filter(no)){let s=r.sets?.flatMap(i=>i.answers)??r.answers.map((i,a)=>a);b(xn(r.table,r.answers,r.means)&&r.means.length===o.length,"coin"),b(v(s)&&s.length===r.answers.length&&Math.max(...s)<s.length,"coin.sets")}let t=r=>r.split(/[^\S\ufeff]+/).filter(Boolean).join(" ").toLowerCase(),n=e.flatMap(({coin:r})=>r?[...new Set(Object.values(r.text).map(t))]:[]);b(v(n),"coin")}
function Ai(e,t,n){if(e.coin)return ce(to(e),[],t,n,[t.words.coin(t.inside(e.coin.text))])}
E.judged=e=>e.coin&&to(e),Object.assign(U.choice[0],Si),y({name:"coin",detect:({questions:e})=>e.some(no),validate:Oi,wrap:{renderCoin:()=>Ai}});
