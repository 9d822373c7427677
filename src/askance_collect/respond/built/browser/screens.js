var ln={render:e=>x.renderConsent(fs(e),e)};
function fs({form:e,fingerprint:t,speech:n,forward:r,state:o}){let{words:s,text:i}=n,a=m("input",{type:"checkbox",autocomplete:"off"}),c=H();be(a,c);let d=()=>a.checked?r():(c.textContent=s.agreeFirst,a.focus());return[A(i(e.title)),...Y(i(e.consent)),m("label",{className:"option"},a,m("span",{},s.agree)),c,S(b(s.begin,d,"main")),un(o.status,s),h(`${s.nothingYet} ${s.leaveHint}`,"hint"),rt(t,n)]}
function un(e,t){let n=h(e==="silent"?t.silent:"","hint");return n.setAttribute("role","status"),Object.assign(n,{id:"door"})}
function rt(e,{words:t}){let n=m("p",{className:"code",translate:!1},e);return U(t.check,h(t.checkFingerprint),n,h(t.checkCode))}
var ps=void 0,
ur={render:ms};
function ms(e){let{form:t,speech:n,back:r}=e,{words:o}=n,i=t.questions.some(({kind:f})=>f==="table")?gs(n):I.practice(n),a=xt(i,Ie),c=ve(i,a,void 0,n,ps),d=m("div",{className:"outcome"}),u=S(b(o.back,r),b(o.proceed,l,"main"));function l(){let f=st(c);f&&(u.remove(),c.node.disabled=!0,d.replaceChildren(...hs(i,f,a,e)),d.querySelector("h2")?.focus())}return[A(o.practice),h(o.practiceHint,"hint"),m("h2",{className:"ask"},n.text(i.text)),...xe(i,a,n,c.node),d,u]}
function hs(e,t,n,{form:r,speech:o,forward:s,back:i}){let{words:a}=o,{check:c=""}=$.proofTexts?.(r.questions,a)??{},d=Ne(e,t.index,n),u=m("p",{className:"feedback"});u.setAttribute("role","status");let l=b(a.proceed,s,"main"),f=g=>()=>{u.textContent=`${g} ${a.checkWhy} ${c}`,l.hidden=!1};return l.hidden=!0,[m("h2",{tabIndex:-1},a.practiceTry),ot(e,At(e,n,t,o),d,o),m("h2",{},a.checkQuestion),S(b(a.checkNo,f(a.checkWrong)),b(a.checkYes,f(a.checkRight))),u,S(b(a.back,i),l)]}
function gs({words:e,language:t}){let n=e.practiceAnswers.map(i=>({name:i,label:{[t]:i}})),r=n.map((i,a)=>({...i,means:[a]})),o={total:4,rows:[[3,1],[1,3]]};return{kind:"table",name:"practice",text:{[t]:e.practiceText},answers:n,reports:r,table:o,blank:[0,1]}}
var je={render:ws};
function ws({form:e,speech:t,forward:n,back:r}){let{words:o}=t,s=bs(e.questions,o).map(([i,a])=>m("li",{},m("strong",{},i),m("span",{},a)));return[A(o.card),m("ol",{className:"card"},...s),S(b(o.back,r),b(o.proceed,n,"main"))]}
function bs(e,t){let{lines:n=[],hidden:r=t.cardHidden}=T.cuts?.cardTexts(e,t)??{},{card:o=`${r} ${t.cardShared}`}=$.proofTexts?.(e,t)??{};return[[t.cardLeaves,t.cardRecord],[t.cardTells,[t.cardTold,...n].join(" ")],[t.cardHides,o],[t.cardRisks,t.cardWrong]]}
function xe(e,t,n,r){let{words:o}=n,s=U(o.tells,h(Ot(e,n))),i=$.proofBadge?.(e,o)||(Xe(e)?o.broad:o.noisy),a=h(i,"badge guarded"),c=ys(e,t,n);return e.kind==="table"?[a,r,c,s]:[a,c,r,s]}
function ys(e,t,n){let{words:r}=n,o=[rr(e,n)].filter(Boolean);if(T[e.kind]){let l=[...T[e.kind].describeOdds(e,t,n),...o];return m("section",{className:"odds"},...l.map(f=>h(f)))}let s=$.describeSets?.(e,n),i=s?.lines??er(e,n),a=i.length>1?m("ul",{},...i.map(l=>m("li",{},l))):h(i[0]),c=o.map(l=>h(`${l} ${r.others}`));s&&c.push(h(s.hint));let d=()=>!s&&$.drawDots?.(e,i,a,n)||[a],u=i.length>5?[...c,U(r.odds,a)]:[m("h2",{},r.odds),...c,...d()];return m("section",{className:"odds"},...u)}
function ot(e,t,n,r){let{words:o}=r,s=!j(e)||n!==null&&T[e.kind]?.isExact(e,n);return m("dl",{className:"sides"},t?m("div",{},m("dt",{},s?o.yours:o.yoursOnly),B("dd","",t)):"",m("div",{className:"out"},m("dt",{},o.sent),B("dd","",...ks(e,n,r))))}
function ks(e,t,n){let{words:r}=n,o=t===null?xs(e,r):Ss(e,t,n);return[h(fn(e,t,n)),h(o,"hint")]}
var fn=(e,t,n)=>t===null?n.words.readsNothing:n.words.reads(or(e,t,n));
function xs(e,t){let n=e.blank?.[0]>0;return T[e.kind]?.isWithheld?.(e)?n?t.withheldOrChance:t.withheldHint:n?t.blankOrChance:t.blankHint}
function Ss(e,t,n){let{words:r}=n;return j(e)?$.isProof?.(e,t)?r.proofHint:T[e.kind]?T[e.kind].recordHint(e,t,n):Xe(e)?`${r.broadHint} ${nr(e,t,n)}`.trim():r.noisyHint:r.plain}
function st(e){try{return e.read()}catch(t){if(t.name==="Complaint")return;throw t}}
