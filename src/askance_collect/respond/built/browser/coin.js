function bn({answers:e,coin:{answers:t,means:n,table:r,about:o,sets:s}}){let i=e.map((a,c)=>({...a,means:n[c]}));return{kind:"table",answers:t,reports:i,table:r,about:o,sets:s,blank:[0,1]}}
function Ks(e,t,n){un(bn({answers:t,coin:e}),n,"coin");let{text:r,means:o,sets:s}=e;return R(r,n)&&o.length===t.length&&(s===void 0||Gs(e,n))}
function Gs({answers:e,sets:t=[]},n){Oe(t,n,"coin.sets");let r=t.flatMap(o=>A(o.answers)&&o.answers.length>0?o.answers:[-1]);return r.length===e.length&&M(r)&&r.every(o=>y(o,e.length))}
function zs({questions:e}){let t=r=>r.split(/\s+/).join(" ").trim().toLowerCase(),n=e.flatMap(({coin:r})=>r?[...new Set(Object.values(r.text).map(t))]:[]);p(M(n),"coin")}
function Vs(e,t,n){if(e.coin)return ie(bn(e),[],t,n,[t.words.coin(t.inside(e.coin.text))])}
$.judged=e=>e.coin&&bn(e),k({name:"coin",detect:({questions:e})=>e.some(({coin:t})=>t),validate:zs,wrap:{validateCoin:()=>Ks,renderCoin:()=>Vs}});
function Ur({answers:e,coin:{answers:t,means:n,table:r,about:o,sets:s}}){let i=e.map((a,c)=>({...a,means:n[c]}));return{kind:"table",answers:t,reports:i,table:r,about:o,sets:s,blank:[0,1]}}
var ii={"coin?":{text:$,answers:vt,means:[Pt,2],table:Sn,"sets?":[{...Fe,answers:Pt},2,me],about:De}},
Wr=({coin:e})=>e;
function ai({questions:e}){for(let{coin:r,answers:o}of e.filter(Wr)){let s=r.sets?.flatMap(i=>i.answers)??r.answers.map((i,a)=>a);b(yn(r.table,r.answers,r.means)&&r.means.length===o.length,"coin"),b(j(s)&&s.length===r.answers.length&&Math.max(...s)<s.length,"coin.sets")}let t=r=>r.split(/[^\S\ufeff]+/).filter(Boolean).join(" ").toLowerCase(),n=e.flatMap(({coin:r})=>r?[...new Set(Object.values(r.text).map(t))]:[]);b(j(n),"coin")}
function ci(e,t,n){if(e.coin)return Ee(Ur(e),[],t,n,[t.words.coin(t.inside(e.coin.text))])}
E.judged=e=>e.coin&&Ur(e),Object.assign(F.choice[0],ii),y({name:"coin",detect:({questions:e})=>e.some(Wr),validate:ai,wrap:{renderCoin:()=>ci}});
