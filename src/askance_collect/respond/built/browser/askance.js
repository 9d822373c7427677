var Ct=2**48,
O={};
function He(){return X(6).reduce((e,t)=>e*256+t,0)}
function Tr(){return[...X(16)].map(e=>e.toString(16).padStart(2,"0")).join("")}
function X(e){try{let t=globalThis.crypto.getRandomValues(new Uint8Array(e));if(Cs(t))return t}catch{}throw rt.failed(),new Error("no chance")}
var Cs=Er(),
rt={failed(){}};
function $t(){for(let e=0;e<64;e+=1)X(16)}
function gn(e,t){if(!$(e,Ct+1)||e===0)throw new RangeError("bound: an integer in [1, 2^48]");let n=Ct-Ct%e,r=t();for(;r>=n;)r=t();return r%e}
function ot(e){return e.kind==="table"?[e.blank[1],e.table.total]:O[e.kind]?.drawBounds?.(e)??[]}
function Rt(e,t){return ot(e).map(n=>gn(n,t))}
function Pe(e,t,n,r){if($s(e,r),t===null)return null;if(O[e.kind])return O[e.kind].encode(e,t,n,r);let o=st(e,t,e.answers.length);if(e.kind==="choice")return o;let s=It(e.table.rows[o],n[1]);return wn(e,n)?null:s}
var wn=({blank:e},[t])=>t<e[0];
function Lr(e,t,n,r){let o=Object.fromEntries(e.questions.map(({name:i},a)=>[i,r[a]])),s=M({answers:o,form:t,id:n});if(s.length>e.size)throw new RangeError("report: too long");return s.padEnd(e.size)}
function M(e){return Array.isArray(e)?e.every(Number.isSafeInteger)?JSON.stringify(e):`[${e.map(M).join(",")}]`:e!==null&&typeof e=="object"?`{${Object.keys(e).sort((r,o)=>Nr(r)<Nr(o)?-1:1).map(r=>`${M(r)}:${M(e[r])}`).join(",")}}`:JSON.stringify(e).replace(/[<>&\u007f-\uffff]/g,Rs)}
var Nr=e=>e.replace(/[\ue000-\u{10ffff}]/gu,t=>(t[1]?"￿":"￾")+t);
function $(e,t){return Number.isInteger(e)&&e>=0&&e<t}
function st(e,t,n,r=0){if($(t,n)&&t>=r)return t;throw new RangeError(`answers.${e.name}: an integer in [${r}, ${n})`)}
function $s({name:e,kind:t,ask:n},r){if(!(r===void 0||t==="cuts"&&n==="narrow"&&$(r,Ct)))throw new RangeError(`steps.${e}: where asked in steps`)}
function Rs(e){return`\\u${e.charCodeAt(0).toString(16).padStart(4,"0")}`}
