var RIGHT_TO_LEFT=/^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)$/;
function speak(n){const t=n.split("-")[0],s=WORDS_OF[n]??WORDS_OF[t],i=s?n:"en",d=r=>w=>(r.made??=r()).format(w),e=r=>d(()=>new Intl.NumberFormat(n,{maximumFractionDigits:6,useGrouping:r})),o=r=>d(()=>new Intl.ListFormat(i,{type:r})),l=e("min2"),c=RIGHT_TO_LEFT.test(t)?"rtl":"ltr",a=r=>c==="rtl"&&r?`⁨${r}⁩`:r,u=new Map,f=r=>{const w=l(r);return u.set(w,r),w};return{language:n,direction:c,words:wordsIn(s??WORDS_OF.en,i,f,r=>u.get(r)),text:r=>r[n],inside:r=>a(r[n]),number:f,grouped:e("always"),list:o("conjunction"),either:o("disjunction")}}
var isProtected=n=>isHidden(n)&&(n.kind!=="table"||isShared(n)),
isHidden=({kind:n})=>n==="table"||questionKinds[n]?.drawBounds!==void 0;
function isShared({reports:n,table:{rows:t}}){return n.some((s,i)=>t.filter(d=>d[i]>0).length>1)}
function isTruthful({kind:n,reports:t,table:s}){return n!=="table"?!0:s.rows.every((i,d)=>i.every((e,o)=>e===0||t[o].means.includes(d)))}
var oddsTexts={};
function frequencies(n,t){const{words:s,inside:i}=t,{answers:d,reports:e}=n,{rows:o,total:l}=n.table,c=r=>outOf100(BigInt(r),BigInt(l),t),a=(r,w)=>e.flatMap(({label:b},m)=>m<w||r[m]===0?[]:[s.send(c(r[m]),i(b))]),[u,f]=o[0].map(c);return oddsTexts.treatsAlike?.(n)?[oddsTexts.alikeText(u,f,a(o[0],o.length),s)]:d.map(({label:r},w)=>s.of(i(r),t.list(a(o[w],0))))}
function senders({answers:n,table:{rows:t,total:s},blank:i},d,e){const[o,l]=i.map(BigInt);return n.map(({label:c},a)=>{const u=outOf100(BigInt(t[a][d])*(l-o),BigInt(s)*l,e);return e.words.sendThis(e.inside(c),u)})}
function stillPossible({answers:n,reports:t,table:s},i,{words:d,text:e,inside:o,either:l}){const c=n.filter((u,f)=>s.rows[f][i]>0),a=u=>l(c.map(({label:f})=>u(f)));return a(e)===e(t[i].label)?"":d.possible(a(o))}
function blankSentence({blank:n},t){return n[0]===0?"":t.words.blank(outOf100(BigInt(n[0]),BigInt(n[1]),t))}
function outOf100(n,t,{words:s,number:i,either:d}){const e=n*100n;if(e%t===0n)return i(Number(e/t));if(e<t)return s.fewer(i(1));if(e>t*99n)return s.more(i(99));const o=Number(e/t);return d([o,o+1].map(i))}
function howMuch(n,t){return questionKinds[n.kind]?questionKinds[n.kind].describeLoss(n,t):oddsTexts.worstRatio?.(n,t)??t.words.noRatio}
function recordLabel(n,t,s){return questionKinds[n.kind]?questionKinds[n.kind].label(n,t,s):s.inside((n.reports??n.answers)[t].label)}
