var zs=/^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)$/;
function Ue(e){let t=e.split("-")[0],n=z[e]??z[t],r=n?e:"en",o=p=>g=>(p.made??=p()).format(g),s=p=>o(()=>new Intl.NumberFormat(e,{maximumFractionDigits:6,useGrouping:p})),i=p=>o(()=>new Intl.ListFormat(r,{type:p})),a=s("min2"),c,d=zs.test(t)?"rtl":"ltr",u=p=>d==="rtl"&&p?`⁨${p}⁩`:p,l=new Map,f=p=>{let g=a(p);return l.set(g,p),g};return{language:e,direction:d,words:Bt(n??z.en,r,f,p=>l.get(p)),text:p=>p[e],inside:p=>u(p[e]),number:f,clear:()=>l.clear(),grouped:s("always"),plural:p=>(c??=new Intl.PluralRules(e,{maximumFractionDigits:6})).select(p),list:i("conjunction"),either:i("disjunction")}}
var B=e=>Ie(e)&&(e.kind!=="table"||Vs(e)),
Ie=({kind:e})=>e==="table"||O[e]?.drawBounds!==void 0;
function Vs({reports:e,table:{rows:t}}){return e.some((n,r)=>t.filter(o=>o[r]>0).length>1)}
function lt({kind:e,reports:t,table:n}){return e!=="table"?!0:n.rows.every((r,o)=>r.every((s,i)=>s===0||t[i].means.includes(o)))}
var N={};
function Fr(e,t){let{words:n,inside:r}=t,{answers:o,reports:s}=e,{rows:i,total:a}=e.table,c=f=>dt(BigInt(f),BigInt(a),t),d=(f,p)=>s.flatMap(({label:g},k)=>k<p||f[k]===0?[]:[n.send(c(f[k]),r(g))]),[u,l]=i[0].map(c);return N.treatsAlike?.(e)?[N.alikeText(u,l,d(i[0],i.length),n)]:o.map(({label:f},p)=>n.of(r(f),t.list(d(i[p],0))))}
function Mr({answers:e,table:{rows:t,total:n},blank:r},o,s){let[i,a]=r.map(BigInt);return e.map(({label:c},d)=>{let u=dt(BigInt(t[d][o])*(a-i),BigInt(n)*a,s);return s.words.sendThis(s.inside(c),u)})}
function Ht({answers:e,reports:t,table:n},r,{words:o,text:s,inside:i,either:a}){let c=e.filter((u,l)=>n.rows[l][r]>0),d=u=>a(c.map(({label:l})=>u(l)));return d(s)===s(t[r].label)?"":o.possible(d(i))}
function Dr({blank:e},t){return e[0]===0?"":t.words.blank(dt(BigInt(e[0]),BigInt(e[1]),t))}
function dt(e,t,{words:n,number:r,either:o}){let s=e*100n;if(s%t===0n)return r(Number(s/t));if(s<t)return n.fewer(r(1));if(s>t*99n)return n.more(r(99));let i=Number(s/t);return o([i,i+1].map(r))}
function Pt(e,t){return O[e.kind]?O[e.kind].describeLoss(e,t):N.worstRatio?.(e,t)??t.words.noRatio}
function Ur(e,t,n){return O[e.kind]?O[e.kind].label(e,t,n):n.inside((e.reports??e.answers)[t].label)}
