var ns=/^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)$/;
function je(e){let t=e.split("-")[0],n=G[e]??G[t],r=n?e:"en",o=f=>g=>(f.made??=f()).format(g),s=f=>o(()=>new Intl.NumberFormat(e,{maximumFractionDigits:6,useGrouping:f})),i=f=>o(()=>new Intl.ListFormat(r,{type:f})),a=s("min2"),c=ns.test(t)?"rtl":"ltr",d=f=>c==="rtl"&&f?`⁨${f}⁩`:f,u=new Map,l=f=>{let g=a(f);return u.set(g,f),g};return{language:e,direction:c,words:Et(n??G.en,r,l,f=>u.get(f)),text:f=>f[e],inside:f=>d(f[e]),number:l,clear:()=>u.clear(),grouped:s("always"),list:i("conjunction"),either:i("disjunction")}}
var j=e=>qe(e)&&(e.kind!=="table"||rs(e)),
qe=({kind:e})=>e==="table"||T[e]?.drawBounds!==void 0;
function rs({reports:e,table:{rows:t}}){return e.some((n,r)=>t.filter(o=>o[r]>0).length>1)}
function et({kind:e,reports:t,table:n}){return e!=="table"?!0:n.rows.every((r,o)=>r.every((s,i)=>s===0||t[i].means.includes(o)))}
var $={};
function ar(e,t){let{words:n,inside:r}=t,{answers:o,reports:s}=e,{rows:i,total:a}=e.table,c=f=>Xe(BigInt(f),BigInt(a),t),d=(f,g)=>s.flatMap(({label:w},S)=>S<g||f[S]===0?[]:[n.send(c(f[S]),r(w))]),[u,l]=i[0].map(c);return $.treatsAlike?.(e)?[$.alikeText(u,l,d(i[0],i.length),n)]:o.map(({label:f},g)=>n.of(r(f),t.list(d(i[g],0))))}
function cr({answers:e,table:{rows:t,total:n},blank:r},o,s){let[i,a]=r.map(BigInt);return e.map(({label:c},d)=>{let u=Xe(BigInt(t[d][o])*(a-i),BigInt(n)*a,s);return s.words.sendThis(s.inside(c),u)})}
function Tt({answers:e,reports:t,table:n},r,{words:o,text:s,inside:i,either:a}){let c=e.filter((u,l)=>n.rows[l][r]>0),d=u=>a(c.map(({label:l})=>u(l)));return d(s)===s(t[r].label)?"":o.possible(d(i))}
function dr({blank:e},t){return e[0]===0?"":t.words.blank(Xe(BigInt(e[0]),BigInt(e[1]),t))}
function Xe(e,t,{words:n,number:r,either:o}){let s=e*100n;if(s%t===0n)return r(Number(s/t));if(s<t)return n.fewer(r(1));if(s>t*99n)return n.more(r(99));let i=Number(s/t);return o([i,i+1].map(r))}
function $t(e,t){return T[e.kind]?T[e.kind].describeLoss(e,t):$.worstRatio?.(e,t)??t.words.noRatio}
function lr(e,t,n){return T[e.kind]?T[e.kind].label(e,t,n):n.inside((e.reports??e.answers)[t].label)}
var ms=/^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)$/;
function ve(e){let t=e.split("-")[0],n=_[e]??_[t],r=n?e:"en",o=f=>h=>(f.made??=f()).format(h),s=f=>o(()=>new Intl.NumberFormat(e,{maximumFractionDigits:6,useGrouping:f})),i=f=>o(()=>new Intl.ListFormat(r,{type:f})),a=s("min2"),c=ms.test(t)?"rtl":"ltr",d=f=>c==="rtl"&&f?`⁨${f}⁩`:f,u=new Map,l=f=>{let h=a(f);return u.set(h,f),h};return{language:e,direction:c,words:$t(n??_.en,r,l,f=>u.get(f)),text:f=>f[e],inside:f=>d(f[e]),number:l,clear:()=>u.clear(),grouped:s("always"),list:i("conjunction"),either:i("disjunction")}}
var v=e=>st(e)&&(e.kind!=="table"||hs(e)),
st=({kind:e})=>e==="table"||A[e]?.drawBounds!==void 0;
function hs({reports:e,table:{rows:t}}){return e.some((n,r)=>t.filter(o=>o[r]>0).length>1)}
function it({kind:e,reports:t,table:n}){return e!=="table"?!0:n.rows.every((r,o)=>r.every((s,i)=>s===0||t[i].means.includes(o)))}
var E={};
function xr(e,t){let{words:n,inside:r}=t,{answers:o,reports:s}=e,{rows:i,total:a}=e.table,c=f=>ot(BigInt(f),BigInt(a),t),d=(f,h)=>s.flatMap(({label:g},S)=>S<h||f[S]===0?[]:[n.send(c(f[S]),r(g))]),[u,l]=i[0].map(c);return E.treatsAlike?.(e)?[E.alikeText(u,l,d(i[0],i.length),n)]:o.map(({label:f},h)=>n.of(r(f),t.list(d(i[h],0))))}
function Sr({answers:e,table:{rows:t,total:n},blank:r},o,s){let[i,a]=r.map(BigInt);return e.map(({label:c},d)=>{let u=ot(BigInt(t[d][o])*(a-i),BigInt(n)*a,s);return s.words.sendThis(s.inside(c),u)})}
function Rt({answers:e,reports:t,table:n},r,{words:o,text:s,inside:i,either:a}){let c=e.filter((u,l)=>n.rows[l][r]>0),d=u=>a(c.map(({label:l})=>u(l)));return d(s)===s(t[r].label)?"":o.possible(d(i))}
function Or({blank:e},t){return e[0]===0?"":t.words.blank(ot(BigInt(e[0]),BigInt(e[1]),t))}
function ot(e,t,{words:n,number:r,either:o}){let s=e*100n;if(s%t===0n)return r(Number(s/t));if(s<t)return n.fewer(r(1));if(s>t*99n)return n.more(r(99));let i=Number(s/t);return o([i,i+1].map(r))}
function jt(e,t){return A[e.kind]?A[e.kind].describeLoss(e,t):E.worstRatio?.(e,t)??t.words.noRatio}
function Ar(e,t,n){return A[e.kind]?A[e.kind].label(e,t,n):n.inside((e.reports??e.answers)[t].label)}
