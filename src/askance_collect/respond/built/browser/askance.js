var St=2**48,
T={};
function ve(){return X(6).reduce((e,t)=>e*256+t,0)}
function sr(){return[...X(16)].map(e=>e.toString(16).padStart(2,"0")).join("")}
function X(e){try{let t=globalThis.crypto.getRandomValues(new Uint8Array(e));if(qo(t))return t}catch{}throw Qe.failed(),new Error("no chance")}
var qo=rr(),
Qe={failed(){}};
function Ot(){for(let e=0;e<64;e+=1)X(16)}
function on(e,t){if(!y(e,St+1)||e===0)throw new RangeError("bound: an integer in [1, 2^48]");let n=St-St%e,r=t();for(;r>=n;)r=t();return r%e}
function Je(e){return e.kind==="table"?[e.blank[1],e.table.total]:T[e.kind]?.drawBounds?.(e)??[]}
function At(e,t){return Je(e).map(n=>on(n,t))}
function Re(e,t,n,r){if(es(e,r),t===null)return null;if(T[e.kind])return T[e.kind].encode(e,t,n,r);let o=Ze(e,t,e.answers.length);if(e.kind==="choice")return o;let s=xt(e.table.rows[o],n[1]);return sn(e,n)?null:s}
var sn=({blank:e},[t])=>t<e[0];
function ir(e,t,n,r){let o=Object.fromEntries(e.questions.map(({name:i},a)=>[i,r[a]])),s=F({answers:o,form:t,id:n});if(s.length>e.size)throw new RangeError("report: too long");return s.padEnd(e.size)}
function F(e){return Array.isArray(e)?`[${e.map(F).join(",")}]`:e!==null&&typeof e=="object"?`{${Object.keys(e).sort((r,o)=>or(r)<or(o)?-1:1).map(r=>`${F(r)}:${F(e[r])}`).join(",")}}`:JSON.stringify(e).replace(/[<>&\u007f-\uffff]/g,ts)}
var or=e=>e.replace(/[\ue000-\u{10ffff}]/gu,t=>(t[1]?"￿":"￾")+t);
function y(e,t){return Number.isInteger(e)&&e>=0&&e<t}
function Ze(e,t,n,r=0){if(y(t,n)&&t>=r)return t;throw new RangeError(`answers.${e.name}: an integer in [${r}, ${n})`)}
function es({name:e,kind:t,ask:n},r){if(!(r===void 0||t==="cuts"&&n==="narrow"&&y(r,St)))throw new RangeError(`steps.${e}: where asked in steps`)}
function ts(e){return`\\u${e.charCodeAt(0).toString(16).padStart(4,"0")}`}
var Lt=2**48,
A={};
function je(){return X(6).reduce((e,t)=>e*256+t,0)}
function yr(){return[...X(16)].map(e=>e.toString(16).padStart(2,"0")).join("")}
function X(e){try{let t=globalThis.crypto.getRandomValues(new Uint8Array(e));if(us(t))return t}catch{}throw et.failed(),new Error("no chance")}
var us=wr(),
et={failed(){}};
function It(){for(let e=0;e<64;e+=1)X(16)}
function pn(e,t){if(!C(e,Lt+1)||e===0)throw new RangeError("bound: an integer in [1, 2^48]");let n=Lt-Lt%e,r=t();for(;r>=n;)r=t();return r%e}
function tt(e){return e.kind==="table"?[e.blank[1],e.table.total]:A[e.kind]?.drawBounds?.(e)??[]}
function Ct(e,t){return tt(e).map(n=>pn(n,t))}
function Be(e,t,n,r){if(fs(e,r),t===null)return null;if(A[e.kind])return A[e.kind].encode(e,t,n,r);let o=nt(e,t,e.answers.length);if(e.kind==="choice")return o;let s=Tt(e.table.rows[o],n[1]);return mn(e,n)?null:s}
var mn=({blank:e},[t])=>t<e[0];
function kr(e,t,n,r){let o=Object.fromEntries(e.questions.map(({name:i},a)=>[i,r[a]])),s=M({answers:o,form:t,id:n});if(s.length>e.size)throw new RangeError("report: too long");return s.padEnd(e.size)}
function M(e){return Array.isArray(e)?`[${e.map(M).join(",")}]`:e!==null&&typeof e=="object"?`{${Object.keys(e).sort((r,o)=>br(r)<br(o)?-1:1).map(r=>`${M(r)}:${M(e[r])}`).join(",")}}`:JSON.stringify(e).replace(/[<>&\u007f-\uffff]/g,ps)}
var br=e=>e.replace(/[\ue000-\u{10ffff}]/gu,t=>(t[1]?"￿":"￾")+t);
function C(e,t){return Number.isInteger(e)&&e>=0&&e<t}
function nt(e,t,n,r=0){if(C(t,n)&&t>=r)return t;throw new RangeError(`answers.${e.name}: an integer in [${r}, ${n})`)}
function fs({name:e,kind:t,ask:n},r){if(!(r===void 0||t==="cuts"&&n==="narrow"&&C(r,Lt)))throw new RangeError(`steps.${e}: where asked in steps`)}
function ps(e){return`\\u${e.charCodeAt(0).toString(16).padStart(4,"0")}`}
