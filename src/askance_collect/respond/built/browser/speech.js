var vs=/^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)$/;
function Fe(e){let t=e.split("-")[0],n=_[e]??_[t],r=n?e:"en",o=f=>m=>(f.made??=f()).format(m),s=f=>o(()=>new Intl.NumberFormat(e,{maximumFractionDigits:6,useGrouping:f})),i=f=>o(()=>new Intl.ListFormat(r,{type:f})),a=s("min2"),c=vs.test(t)?"rtl":"ltr",d=f=>c==="rtl"&&f?`⁨${f}⁩`:f,u=new Map,l=f=>{let m=a(f);return u.set(m,f),m};return{language:e,direction:c,words:vt(n??_.en,r,l,f=>u.get(f)),text:f=>f[e],inside:f=>d(f[e]),number:l,clear:()=>u.clear(),grouped:s("always"),list:i("conjunction"),either:i("disjunction")}}
var H=e=>Ne(e)&&(e.kind!=="table"||js(e)),
Ne=({kind:e})=>e==="table"||O[e]?.drawBounds!==void 0;
function js({reports:e,table:{rows:t}}){return e.some((n,r)=>t.filter(o=>o[r]>0).length>1)}
function ct({kind:e,reports:t,table:n}){return e!=="table"?!0:n.rows.every((r,o)=>r.every((s,i)=>s===0||t[i].means.includes(o)))}
var E={};
function Lr(e,t){let{words:n,inside:r}=t,{answers:o,reports:s}=e,{rows:i,total:a}=e.table,c=f=>at(BigInt(f),BigInt(a),t),d=(f,m)=>s.flatMap(({label:g},y)=>y<m||f[y]===0?[]:[n.send(c(f[y]),r(g))]),[u,l]=i[0].map(c);return E.treatsAlike?.(e)?[E.alikeText(u,l,d(i[0],i.length),n)]:o.map(({label:f},m)=>n.of(r(f),t.list(d(i[m],0))))}
function Ir({answers:e,table:{rows:t,total:n},blank:r},o,s){let[i,a]=r.map(BigInt);return e.map(({label:c},d)=>{let u=at(BigInt(t[d][o])*(a-i),BigInt(n)*a,s);return s.words.sendThis(s.inside(c),u)})}
function jt({answers:e,reports:t,table:n},r,{words:o,text:s,inside:i,either:a}){let c=e.filter((u,l)=>n.rows[l][r]>0),d=u=>a(c.map(({label:l})=>u(l)));return d(s)===s(t[r].label)?"":o.possible(d(i))}
function Cr({blank:e},t){return e[0]===0?"":t.words.blank(at(BigInt(e[0]),BigInt(e[1]),t))}
function at(e,t,{words:n,number:r,either:o}){let s=e*100n;if(s%t===0n)return r(Number(s/t));if(s<t)return n.fewer(r(1));if(s>t*99n)return n.more(r(99));let i=Number(s/t);return o([i,i+1].map(r))}
function Bt(e,t){return O[e.kind]?O[e.kind].describeLoss(e,t):E.worstRatio?.(e,t)??t.words.noRatio}
function $r(e,t,n){return O[e.kind]?O[e.kind].label(e,t,n):n.inside((e.reports??e.answers)[t].label)}
var Cs=/^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)$/;
function Pe(e){let t=e.split("-")[0],n=_[e]??_[t],r=n?e:"en",o=p=>g=>(p.made??=p()).format(g),s=p=>o(()=>new Intl.NumberFormat(e,{maximumFractionDigits:6,useGrouping:p})),i=p=>o(()=>new Intl.ListFormat(r,{type:p})),a=s("min2"),c,d=Cs.test(t)?"rtl":"ltr",u=p=>d==="rtl"&&p?`⁨${p}⁩`:p,l=new Map,f=p=>{let g=a(p);return l.set(g,p),g};return{language:e,direction:d,words:$t(n??_.en,r,f,p=>l.get(p)),text:p=>p[e],inside:p=>u(p[e]),number:f,clear:()=>l.clear(),grouped:s("always"),plural:p=>(c??=new Intl.PluralRules(e,{maximumFractionDigits:6})).select(p),list:i("conjunction"),either:i("disjunction")}}
var B=e=>it(e)&&(e.kind!=="table"||$s(e)),
it=({kind:e})=>e==="table"||A[e]?.drawBounds!==void 0;
function $s({reports:e,table:{rows:t}}){return e.some((n,r)=>t.filter(o=>o[r]>0).length>1)}
function at({kind:e,reports:t,table:n}){return e!=="table"?!0:n.rows.every((r,o)=>r.every((s,i)=>s===0||t[i].means.includes(o)))}
var E={};
function Tr(e,t){let{words:n,inside:r}=t,{answers:o,reports:s}=e,{rows:i,total:a}=e.table,c=f=>st(BigInt(f),BigInt(a),t),d=(f,p)=>s.flatMap(({label:g},k)=>k<p||f[k]===0?[]:[n.send(c(f[k]),r(g))]),[u,l]=i[0].map(c);return E.treatsAlike?.(e)?[E.alikeText(u,l,d(i[0],i.length),n)]:o.map(({label:f},p)=>n.of(r(f),t.list(d(i[p],0))))}
function Lr({answers:e,table:{rows:t,total:n},blank:r},o,s){let[i,a]=r.map(BigInt);return e.map(({label:c},d)=>{let u=st(BigInt(t[d][o])*(a-i),BigInt(n)*a,s);return s.words.sendThis(s.inside(c),u)})}
function Rt({answers:e,reports:t,table:n},r,{words:o,text:s,inside:i,either:a}){let c=e.filter((u,l)=>n.rows[l][r]>0),d=u=>a(c.map(({label:l})=>u(l)));return d(s)===s(t[r].label)?"":o.possible(d(i))}
function Ir({blank:e},t){return e[0]===0?"":t.words.blank(st(BigInt(e[0]),BigInt(e[1]),t))}
function st(e,t,{words:n,number:r,either:o}){let s=e*100n;if(s%t===0n)return r(Number(s/t));if(s<t)return n.fewer(r(1));if(s>t*99n)return n.more(r(99));let i=Number(s/t);return o([i,i+1].map(r))}
function vt(e,t){return A[e.kind]?A[e.kind].describeLoss(e,t):E.worstRatio?.(e,t)??t.words.noRatio}
function Cr(e,t,n){return A[e.kind]?A[e.kind].label(e,t,n):n.inside((e.reports??e.answers)[t].label)}
