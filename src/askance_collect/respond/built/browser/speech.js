var ys=/^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)$/;
function Pe(e){let t=e.split("-")[0],n=_[e]??_[t],r=n?e:"en",o=f=>h=>(f.made??=f()).format(h),s=f=>o(()=>new Intl.NumberFormat(e,{maximumFractionDigits:6,useGrouping:f})),i=f=>o(()=>new Intl.ListFormat(r,{type:f})),a=s("min2"),c=ys.test(t)?"rtl":"ltr",d=f=>c==="rtl"&&f?`⁨${f}⁩`:f,u=new Map,l=f=>{let h=a(f);return u.set(h,f),h};return{language:e,direction:c,words:Rt(n??_.en,r,l,f=>u.get(f)),text:f=>f[e],inside:f=>d(f[e]),number:l,clear:()=>u.clear(),grouped:s("always"),list:i("conjunction"),either:i("disjunction")}}
var B=e=>st(e)&&(e.kind!=="table"||ks(e)),
st=({kind:e})=>e==="table"||A[e]?.drawBounds!==void 0;
function ks({reports:e,table:{rows:t}}){return e.some((n,r)=>t.filter(o=>o[r]>0).length>1)}
function it({kind:e,reports:t,table:n}){return e!=="table"?!0:n.rows.every((r,o)=>r.every((s,i)=>s===0||t[i].means.includes(o)))}
var E={};
function Or(e,t){let{words:n,inside:r}=t,{answers:o,reports:s}=e,{rows:i,total:a}=e.table,c=f=>ot(BigInt(f),BigInt(a),t),d=(f,h)=>s.flatMap(({label:g},k)=>k<h||f[k]===0?[]:[n.send(c(f[k]),r(g))]),[u,l]=i[0].map(c);return E.treatsAlike?.(e)?[E.alikeText(u,l,d(i[0],i.length),n)]:o.map(({label:f},h)=>n.of(r(f),t.list(d(i[h],0))))}
function Ar({answers:e,table:{rows:t,total:n},blank:r},o,s){let[i,a]=r.map(BigInt);return e.map(({label:c},d)=>{let u=ot(BigInt(t[d][o])*(a-i),BigInt(n)*a,s);return s.words.sendThis(s.inside(c),u)})}
function jt({answers:e,reports:t,table:n},r,{words:o,text:s,inside:i,either:a}){let c=e.filter((u,l)=>n.rows[l][r]>0),d=u=>a(c.map(({label:l})=>u(l)));return d(s)===s(t[r].label)?"":o.possible(d(i))}
function Er({blank:e},t){return e[0]===0?"":t.words.blank(ot(BigInt(e[0]),BigInt(e[1]),t))}
function ot(e,t,{words:n,number:r,either:o}){let s=e*100n;if(s%t===0n)return r(Number(s/t));if(s<t)return n.fewer(r(1));if(s>t*99n)return n.more(r(99));let i=Number(s/t);return o([i,i+1].map(r))}
function vt(e,t){return A[e.kind]?A[e.kind].describeLoss(e,t):E.worstRatio?.(e,t)??t.words.noRatio}
function Nr(e,t,n){return A[e.kind]?A[e.kind].label(e,t,n):n.inside((e.reports??e.answers)[t].label)}
