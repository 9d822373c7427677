var Xs=/^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)$/;
function Ue(e){let t=e.split("-")[0],n=V[e]??V[t],r=n?e:"en",o=m=>g=>(m.made??=m()).format(g),s=m=>o(()=>new Intl.NumberFormat(e,{maximumFractionDigits:6,useGrouping:m})),i=m=>o(()=>new Intl.ListFormat(r,{type:m})),a=s("min2"),c,d=Xs.test(t)?"rtl":"ltr",u=m=>d==="rtl"&&m?`⁨${m}⁩`:m,l=new Map,f=m=>{let g=a(m);return l.set(g,m),g};return{language:e,direction:d,words:Ht(n??V.en,r,f,m=>l.get(m)),text:m=>m[e],inside:m=>u(m[e]),number:f,clear:()=>l.clear(),grouped:s("always"),plural:m=>(c??=new Intl.PluralRules(e,{maximumFractionDigits:6})).select(m),list:i("conjunction"),either:i("disjunction")}}
var v=e=>$e(e)&&(e.kind!=="table"||Ys(e)),
$e=({kind:e})=>e==="table"||S[e]?.drawBounds!==void 0;
function Ys({reports:e,table:{rows:t}}){return e.some((n,r)=>t.filter(o=>o[r]>0).length>1)}
function ft({kind:e,reports:t,table:n}){return e!=="table"?!0:n.rows.every((r,o)=>r.every((s,i)=>s===0||t[i].means.includes(o)))}
var E={};
function Fr(e,t){let{words:n,inside:r}=t,{answers:o,reports:s}=e,{rows:i,total:a}=e.table,c=f=>ut(BigInt(f),BigInt(a),t),d=(f,m)=>s.flatMap(({label:g},k)=>k<m||f[k]===0?[]:[n.send(c(f[k]),r(g))]),[u,l]=i[0].map(c);return E.treatsAlike?.(e)?[E.alikeText(u,l,d(i[0],i.length),n)]:o.map(({label:f},m)=>n.of(r(f),t.list(d(i[m],0))))}
function Mr({answers:e,table:{rows:t,total:n},blank:r},o,s){let[i,a]=r.map(BigInt);return e.map(({label:c},d)=>{let u=ut(BigInt(t[d][o])*(a-i),BigInt(n)*a,s);return s.words.sendThis(s.inside(c),u)})}
function Pt({answers:e,reports:t,table:n},r,{words:o,text:s,inside:i,either:a}){let c=e.filter((u,l)=>n.rows[l][r]>0),d=u=>a(c.map(({label:l})=>u(l)));return d(s)===s(t[r].label)?"":o.possible(d(i))}
function Dr({blank:e},t){return e[0]===0?"":t.words.blank(ut(BigInt(e[0]),BigInt(e[1]),t))}
function ut(e,t,{words:n,number:r,either:o}){let s=e*100n;if(s%t===0n)return r(Number(s/t));if(s<t)return n.fewer(r(1));if(s>t*99n)return n.more(r(99));let i=Number(s/t);return o([i,i+1].map(r))}
function Ft(e,t){return S[e.kind]?S[e.kind].describeLoss(e,t):E.worstRatio?.(e,t)??t.words.noRatio}
function Ur(e,t,n){return S[e.kind]?S[e.kind].label(e,t,n):n.inside((e.reports??e.answers)[t].label)}
