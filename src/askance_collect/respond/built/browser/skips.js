var ou={skips:[{question:[0],after:[0],answered:ge([[0],1,P],R({from:[0],to:[0]})),send:ge(null,[0])},1]};
function su(e){e.skips.forEach((t,n,r)=>{let o=n===0||t.question>r[n-1].question;w(o&&iu(t,e.questions)&&cu(t,e),`skips[${n}]`)})}
function iu({question:e,after:t,answered:n,send:r},o){if(e>=o.length||t>=e)return!1;let[s,i]=[o[e],o[t]];return s.coin||i.coin||i.typed===!1||i.ask==="narrow"||i.count||!au(i,n)?!1:r===null?!$e(s):Is(s,r)}
function au(e,t){let n=de(t)?t:[t.from,t.to];return!(t.from>t.to)&&n.every(r=>Is(e,r))}
var Ls=(e,t)=>de(t)?t.includes(e):Number.isInteger(e)&&e>=t.from&&e<=t.to;
function Is({kind:e,answers:t,line:n},r){return t?C(r,t.length):e==="number"?C(r,n.ticks+1)&&r>=Ae(n):C(r,n.ticks)}
function cu({question:e,after:t,send:n},{questions:r,sections:o=[],about:s}){let{at:i=0,order:a}=o.filter(l=>l.at<=e).at(-1)??{};if(a&&i<=t)return!1;if(!$e(r[t]))return!0;let c=r[e].table?.rows;if(!c||c[n].some((l,f)=>l===0&&c.some(m=>m[f]>0)))return!1;let d=[e,t].map(l=>r[l].name),u=s.traits.map(l=>d.filter(f=>l.questions.some(m=>m===f)).length);return u.every(l=>l!==1)&&u.filter(Boolean).length===1}
function du(e,t,n,r){let{form:o,draft:s}=r;for(let{question:c,after:d,answered:u,send:l}of o.skips??[]){let f=Ls(s.answer(d)?.index,u);f?s.give(c,{index:l,skipped:f,...lu(o.questions[c],l)}):s.answer(c)?.skipped&&s.give(c,void 0)}let i=e.findIndex(({question:c})=>c!==void 0&&s.answer(c)===void 0);if(r.state.returning&&i>=0)return i;let a=t;for(;uu(e[a],r);)a+=n;return a}
function lu({kind:e,line:t},n){return e==="number"&&n!==null?{typed:_(t,n)}:{}}
function uu({question:e,screen:t},{form:n,draft:r}){let o=s=>r.answer(s)?.skipped;return e!==void 0?o(e):t===q&&n.questions.every((s,i)=>!v(s)||o(i))}
var fu=({form:{skips:e=[]},draft:t},n)=>!e.some(({question:r,after:o,answered:s,send:i})=>r===n&&i===null&&Ls(t.value(o),s));
function pu({skips:e=[],questions:t},n){let r=e.find(({question:o})=>o===n);return r!==void 0&&$e(t[r.after])?r.send:null}
b({name:"skips",shapes:ou,validate:su,wrap:{defaultAnswer:()=>pu,nextStep:()=>du,isRecorded:()=>fu}});
