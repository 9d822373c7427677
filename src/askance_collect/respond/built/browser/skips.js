var al={skips:[{question:[0],after:[0],answered:ue([[0],1,v],j({from:[0],to:[0]})),send:ue(null,[0])},1]};
function cl(e){e.skips.forEach((t,n,r)=>{let o=n===0||t.question>r[n-1].question;b(o&&dl(t,e.questions)&&fl(t,e),`skips[${n}]`)})}
function dl({question:e,after:t,answered:n,send:r},o){if(e>=o.length||t>=e)return!1;let[s,i]=[o[e],o[t]];return s.coin||i.coin||i.typed===!1||i.ask==="narrow"||!ll(i,n)?!1:r===null?!it(s):cs(s,r)}
function ll(e,t){let n=oe(t)?t:[t.from,t.to];return!(t.from>t.to)&&n.every(r=>cs(e,r))}
var ul=(e,t)=>oe(t)?t.includes(e):Number.isInteger(e)&&e>=t.from&&e<=t.to;
function cs({kind:e,answers:t,line:n},r){return t?$(r,t.length):e==="number"?$(r,n.ticks+1)&&r>=ye(n):$(r,n.ticks)}
function fl({question:e,after:t,send:n},{questions:r,sections:o=[],about:s}){let{at:i=0,order:a}=o.filter(l=>l.at<=e).at(-1)??{};if(a&&i<=t)return!1;if(!it(r[t]))return!0;let c=r[e].table?.rows;if(!c||c[n].some((l,f)=>l===0&&c.some(m=>m[f]>0)))return!1;let d=[e,t].map(l=>r[l].name),u=s.traits.map(l=>d.filter(f=>l.questions.some(m=>m===f)).length);return u.every(l=>l!==1)&&u.filter(Boolean).length===1}
function pl(e,t,n,r){let{form:o,draft:s}=r;for(let{question:c,after:d,answered:u,send:l}of o.skips??[]){let f=ul(s.answer(d)?.index,u);f?s.give(c,{index:l,skipped:f,...ml(o.questions[c],l)}):s.answer(c)?.skipped&&s.give(c,void 0)}let i=e.findIndex(({question:c})=>c!==void 0&&s.answer(c)===void 0);if(r.state.returning&&i>=0)return i;let a=t;for(;hl(e[a],r);)a+=n;return a}
function ml({kind:e,line:t},n){return e==="number"&&n!==null?{typed:K(t,n)}:{}}
function hl({question:e,over:t,screen:n},{form:r,draft:o}){let s=c=>o.answer(c)?.skipped;if(e!==void 0)return s(e);let i=c=>B(r.questions[c]),a=n===ae?[...r.questions.keys()].filter(i):t??[];return a.length>0&&a.every(s)}
function gl({skips:e=[],questions:t},n){let r=e.find(({question:o})=>o===n);return r!==void 0&&it(t[r.after])?r.send:null}
y({name:"skips",shapes:al,validate:cl,wrap:{defaultAnswer:()=>gl,nextStep:()=>pl}});
