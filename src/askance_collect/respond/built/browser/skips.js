function Rd(e){let{skips:t}=e;p(A(t)&&t.length>0,"skips"),t.forEach((n,r)=>{let o=n!==null&&jd(n,e.questions)&&Pd(n,e);p(o&&(r===0||n.question>t[r-1].question),`skips[${r}]`)})}
function jd({question:e,after:t,answered:n,send:r},o){if(!y(e,o.length)||!y(t,e))return!1;let[s,i]=[o[e],o[t]];return s.coin||i.coin||i.typed===!1||i.ask==="narrow"||!Bd(i,n)?!1:r===null?!qe(s):Ro(s,r)}
function Bd(e,t){let{from:n,to:r}=t??{},o=P(t)&&Object.keys(t).length===2&&n<=r,s=A(t)&&t.length>0&&M(t);return(o||s)&&(o?[n,r]:t).every(i=>Ro(e,i))}
var Hd=(e,t)=>A(t)?t.includes(e):Number.isInteger(e)&&e>=t.from&&e<=t.to;
function Ro({kind:e,answers:t,line:n},r){return t?y(r,t.length):e==="number"?y(r,n.ticks+1)&&r>=fe(n):y(r,n.ticks)}
function Pd({question:e,after:t,send:n},{questions:r,sections:o=[],about:s}){let{at:i=0,order:a}=o.filter(l=>l.at<=e).at(-1)??{};if(a&&i<=t)return!1;if(!qe(r[t]))return!0;let c=r[e].table?.rows;if(!c||c[n].some((l,f)=>l===0&&c.some(g=>g[f]>0)))return!1;let d=[e,t].map(l=>r[l].name),u=s.traits.map(l=>d.filter(f=>l.questions.some(g=>g===f)).length);return u.every(l=>l!==1)&&u.filter(Boolean).length===1}
function Md(e,t,n,r){let{form:o,draft:s}=r;for(let{question:c,after:d,answered:u,send:l}of o.skips??[]){let f=Hd(s.answer(d)?.index,u);f?s.give(c,{index:l,skipped:f,...Dd(o.questions[c],l)}):s.answer(c)?.skipped&&s.give(c,void 0)}let i=e.findIndex(({question:c})=>c!==void 0&&s.answer(c)===void 0);if(r.state.returning&&i>=0)return i;let a=t;for(;Ud(e[a],r);)a+=n;return a}
function Dd({kind:e,line:t},n){return e==="number"&&n!==null?{typed:K(t,n)}:{}}
function Ud({question:e,over:t,screen:n},{form:r,draft:o}){let s=c=>o.answer(c)?.skipped;if(e!==void 0)return s(e);let i=c=>j(r.questions[c]),a=n===se?[...r.questions.keys()].filter(i):t??[];return a.length>0&&a.every(s)}
function Fd({skips:e=[],questions:t},n){let r=e.find(({question:o})=>o===n);return r!==void 0&&qe(t[r.after])?r.send:null}
k({name:"skips",detect:({skips:e})=>e!==void 0,validate:Rd,wrap:{defaultAnswer:()=>Fd,nextStep:()=>Md}});
var Dd={skips:[{question:[0],after:[0],answered:ce([[0],1,j],B({from:[0],to:[0]})),send:ce(null,[0])},1]};
function Fd(e){e.skips.forEach((t,n,r)=>{let o=n===0||t.question>r[n-1].question;b(o&&Md(t,e.questions)&&Kd(t,e),`skips[${n}]`)})}
function Md({question:e,after:t,answered:n,send:r},o){if(e>=o.length||t>=e)return!1;let[s,i]=[o[e],o[t]];return s.coin||i.coin||i.typed===!1||i.ask==="narrow"||!Ud(i,n)?!1:r===null?!st(s):zo(s,r)}
function Ud(e,t){let n=J(t)?t:[t.from,t.to];return!(t.from>t.to)&&n.every(r=>zo(e,r))}
var Wd=(e,t)=>J(t)?t.includes(e):Number.isInteger(e)&&e>=t.from&&e<=t.to;
function zo({kind:e,answers:t,line:n},r){return t?C(r,t.length):e==="number"?C(r,n.ticks+1)&&r>=we(n):C(r,n.ticks)}
function Kd({question:e,after:t,send:n},{questions:r,sections:o=[],about:s}){let{at:i=0,order:a}=o.filter(l=>l.at<=e).at(-1)??{};if(a&&i<=t)return!1;if(!st(r[t]))return!0;let c=r[e].table?.rows;if(!c||c[n].some((l,f)=>l===0&&c.some(h=>h[f]>0)))return!1;let d=[e,t].map(l=>r[l].name),u=s.traits.map(l=>d.filter(f=>l.questions.some(h=>h===f)).length);return u.every(l=>l!==1)&&u.filter(Boolean).length===1}
function _d(e,t,n,r){let{form:o,draft:s}=r;for(let{question:c,after:d,answered:u,send:l}of o.skips??[]){let f=Wd(s.answer(d)?.index,u);f?s.give(c,{index:l,skipped:f,...Gd(o.questions[c],l)}):s.answer(c)?.skipped&&s.give(c,void 0)}let i=e.findIndex(({question:c})=>c!==void 0&&s.answer(c)===void 0);if(r.state.returning&&i>=0)return i;let a=t;for(;zd(e[a],r);)a+=n;return a}
function Gd({kind:e,line:t},n){return e==="number"&&n!==null?{typed:K(t,n)}:{}}
function zd({question:e,over:t,screen:n},{form:r,draft:o}){let s=c=>o.answer(c)?.skipped;if(e!==void 0)return s(e);let i=c=>v(r.questions[c]),a=n===Me?[...r.questions.keys()].filter(i):t??[];return a.length>0&&a.every(s)}
function Vd({skips:e=[],questions:t},n){let r=e.find(({question:o})=>o===n);return r!==void 0&&st(t[r.after])?r.send:null}
y({name:"skips",shapes:Dd,validate:Fd,wrap:{defaultAnswer:()=>Vd,nextStep:()=>_d}});
