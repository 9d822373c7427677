var wl={skips:[{question:[0],after:[0],answered:fe([[0],1,B],j({from:[0],to:[0]})),send:fe(null,[0])},1]};
function bl(e){e.skips.forEach((t,n,r)=>{let o=n===0||t.question>r[n-1].question;w(o&&yl(t,e.questions)&&xl(t,e),`skips[${n}]`)})}
function yl({question:e,after:t,answered:n,send:r},o){if(e>=o.length||t>=e)return!1;let[s,i]=[o[e],o[t]];return s.coin||i.coin||i.typed===!1||i.ask==="narrow"||!kl(i,n)?!1:r===null?!Te(s):us(s,r)}
function kl(e,t){let n=se(t)?t:[t.from,t.to];return!(t.from>t.to)&&n.every(r=>us(e,r))}
var ls=(e,t)=>se(t)?t.includes(e):Number.isInteger(e)&&e>=t.from&&e<=t.to;
function us({kind:e,answers:t,line:n},r){return t?C(r,t.length):e==="number"?C(r,n.ticks+1)&&r>=ke(n):C(r,n.ticks)}
function xl({question:e,after:t,send:n},{questions:r,sections:o=[],about:s}){let{at:i=0,order:a}=o.filter(l=>l.at<=e).at(-1)??{};if(a&&i<=t)return!1;if(!Te(r[t]))return!0;let c=r[e].table?.rows;if(!c||c[n].some((l,f)=>l===0&&c.some(p=>p[f]>0)))return!1;let d=[e,t].map(l=>r[l].name),u=s.traits.map(l=>d.filter(f=>l.questions.some(p=>p===f)).length);return u.every(l=>l!==1)&&u.filter(Boolean).length===1}
function Sl(e,t,n,r){let{form:o,draft:s}=r;for(let{question:c,after:d,answered:u,send:l}of o.skips??[]){let f=ls(s.answer(d)?.index,u);f?s.give(c,{index:l,skipped:f,...Ol(o.questions[c],l)}):s.answer(c)?.skipped&&s.give(c,void 0)}let i=e.findIndex(({question:c})=>c!==void 0&&s.answer(c)===void 0);if(r.state.returning&&i>=0)return i;let a=t;for(;Al(e[a],r);)a+=n;return a}
function Ol({kind:e,line:t},n){return e==="number"&&n!==null?{typed:K(t,n)}:{}}
function Al({question:e,screen:t},{form:n,draft:r}){let o=s=>r.answer(s)?.skipped;return e!==void 0?o(e):t===X&&n.questions.every((s,i)=>!H(s)||o(i))}
var El=({form:{skips:e=[]},draft:t},n)=>!e.some(({question:r,after:o,answered:s,send:i})=>r===n&&i===null&&ls(t.value(o),s));
function Nl({skips:e=[],questions:t},n){let r=e.find(({question:o})=>o===n);return r!==void 0&&Te(t[r.after])?r.send:null}
y({name:"skips",shapes:wl,validate:bl,wrap:{defaultAnswer:()=>Nl,nextStep:()=>Sl,isRecorded:()=>El}});
