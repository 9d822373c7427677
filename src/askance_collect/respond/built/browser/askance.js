var WORDS=281474976710656,
questionKinds={};
function systemWord(){return systemBytes(6).reduce((n,r)=>n*256+r,0)}
function systemIdentifier(){return[...systemBytes(16)].map(n=>n.toString(16).padStart(2,"0")).join("")}
function systemBytes(n){try{const r=globalThis.crypto.getRandomValues(new Uint8Array(n));if(isHealthy(r))return r}catch{}throw chanceSource.failed(),new Error("no chance")}
var isHealthy=healthTests(),
chanceSource={failed(){}};
function testChance(){for(let n=0;n<64;n+=1)systemBytes(16)}
function uniformBelow(n,r){if(!isIndex(n,WORDS+1)||n===0)throw new RangeError("bound: an integer in [1, 2^48]");const t=WORDS-WORDS%n;let e=r();for(;e>=t;)e=r();return e%n}
function bounds(n){return n.kind==="table"?[n.blank[1],n.table.total]:questionKinds[n.kind]?.drawBounds?.(n)??[]}
function draw(n,r){return bounds(n).map(t=>uniformBelow(t,r))}
function encode(n,r,t,e){if(checkSteps(n,e),r===null)return null;if(questionKinds[n.kind])return questionKinds[n.kind].encode(n,r,t,e);const i=checked(n,r,n.answers.length);if(n.kind==="choice")return i;const o=pick(n.table.rows[i],t[1]);return isBlank(n,t)?null:o}
var isBlank=({blank:n},[r])=>r<n[0];
function reportBody(n,r,t,e){const i=Object.fromEntries(n.questions.map(({name:c},a)=>[c,e[a]])),o=canonical({answers:i,form:r,id:t});if(o.length>n.size)throw new RangeError("report: too long");return o.padEnd(n.size)}
function canonical(n){return Array.isArray(n)?`[${n.map(canonical).join(",")}]`:n!==null&&typeof n=="object"?`{${Object.keys(n).sort((e,i)=>numbers(e)<numbers(i)?-1:1).map(e=>`${canonical(e)}:${canonical(n[e])}`).join(",")}}`:JSON.stringify(n).replace(/[<>&\u007f-\uffff]/g,escaped)}
var numbers=n=>n.replace(/[\ue000-\u{10ffff}]/gu,r=>(r[1]?"￿":"￾")+r);
function isIndex(n,r){return Number.isInteger(n)&&n>=0&&n<r}
function checked(n,r,t,e=0){if(isIndex(r,t)&&r>=e)return r;throw new RangeError(`answers.${n.name}: an integer in [${e}, ${t})`)}
function checkSteps({name:n,kind:r,ask:t},e){if(!(e===void 0||r==="cuts"&&t==="narrow"&&isIndex(e,WORDS)))throw new RangeError(`steps.${n}: where asked in steps`)}
function escaped(n){return`\\u${n.charCodeAt(0).toString(16).padStart(4,"0")}`}
