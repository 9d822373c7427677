var RIGHT_TO_LEFT=/^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)$/;
function speak(n){const t=n.split("-")[0],s=WORDS_OF[n]??WORDS_OF[t],e=s?n:"en",d=r=>w=>(r.made??=r()).format(w),i=r=>d(()=>new Intl.NumberFormat(n,{maximumFractionDigits:6,useGrouping:r})),o=r=>d(()=>new Intl.ListFormat(e,{type:r})),u=i("min2"),a=RIGHT_TO_LEFT.test(t)?"rtl":"ltr",l=r=>a==="rtl"&&r?`⁨${r}⁩`:r,c=new Map,f=r=>{const w=u(r);return c.set(w,r),w};return{language:n,direction:a,words:wordsIn(s??WORDS_OF.en,e,f,r=>c.get(r)),text:r=>r[n],inside:r=>l(r[n]),number:f,clear:()=>c.clear(),grouped:i("always"),list:o("conjunction"),either:o("disjunction")}}
var isProtected=n=>isHidden(n)&&(n.kind!=="table"||isShared(n)),
isHidden=({kind:n})=>n==="table"||questionKinds[n]?.drawBounds!==void 0;
function isShared({reports:n,table:{rows:t}}){return n.some((s,e)=>t.filter(d=>d[e]>0).length>1)}
function isTruthful({kind:n,reports:t,table:s}){return n!=="table"?!0:s.rows.every((e,d)=>e.every((i,o)=>i===0||t[o].means.includes(d)))}
var oddsTexts={};
function frequencies(n,t){const{words:s,inside:e}=t,{answers:d,reports:i}=n,{rows:o,total:u}=n.table,a=r=>outOf100(BigInt(r),BigInt(u),t),l=(r,w)=>i.flatMap(({label:b},m)=>m<w||r[m]===0?[]:[s.send(a(r[m]),e(b))]),[c,f]=o[0].map(a);return oddsTexts.treatsAlike?.(n)?[oddsTexts.alikeText(c,f,l(o[0],o.length),s)]:d.map(({label:r},w)=>s.of(e(r),t.list(l(o[w],0))))}
function senders({answers:n,table:{rows:t,total:s},blank:e},d,i){const[o,u]=e.map(BigInt);return n.map(({label:a},l)=>{const c=outOf100(BigInt(t[l][d])*(u-o),BigInt(s)*u,i);return i.words.sendThis(i.inside(a),c)})}
function stillPossible({answers:n,reports:t,table:s},e,{words:d,text:i,inside:o,either:u}){const a=n.filter((c,f)=>s.rows[f][e]>0),l=c=>u(a.map(({label:f})=>c(f)));return l(i)===i(t[e].label)?"":d.possible(l(o))}
function blankSentence({blank:n},t){return n[0]===0?"":t.words.blank(outOf100(BigInt(n[0]),BigInt(n[1]),t))}
function outOf100(n,t,{words:s,number:e,either:d}){const i=n*100n;if(i%t===0n)return e(Number(i/t));if(i<t)return s.fewer(e(1));if(i>t*99n)return s.more(e(99));const o=Number(i/t);return d([o,o+1].map(e))}
function howMuch(n,t){return questionKinds[n.kind]?questionKinds[n.kind].describeLoss(n,t):oddsTexts.worstRatio?.(n,t)??t.words.noRatio}
function recordLabel(n,t,s){return questionKinds[n.kind]?questionKinds[n.kind].label(n,t,s):s.inside((n.reports??n.answers)[t].label)}
