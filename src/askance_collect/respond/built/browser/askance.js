var jt=2**48,
A={};
function De(){return ee(6).reduce((e,t)=>e*256+t,0)}
function Fr(){return[...ee(16)].map(e=>e.toString(16).padStart(2,"0")).join("")}
function ee(e){try{let t=globalThis.crypto.getRandomValues(new Uint8Array(e));if(Vs(t))return t}catch{}throw at.failed(),new Error("no chance")}
var Vs=Hr(),
at={failed(){}};
function vt(){for(let e=0;e<64;e+=1)ee(16)}
function xn(e,t){if(!C(e,jt+1)||e===0)throw new RangeError("bound: an integer in [1, 2^48]");let n=jt-jt%e,r=t();for(;r>=n;)r=t();return r%e}
function ct(e){return e.kind==="table"?[e.blank[1],e.table.total]:A[e.kind]?.drawBounds?.(e)??[]}
function Bt(e,t){return ct(e).map(n=>xn(n,t))}
function Ue(e,t,n,r){if(Qs(e,r),t===null)return null;if(A[e.kind])return A[e.kind].encode(e,t,n,r);let o=dt(e,t,e.answers.length);if(e.kind==="choice")return o;let s=Rt(e.table.rows[o],n[1]);return Sn(e,n)?null:s}
var Sn=({blank:e},[t])=>t<e[0];
function Mr(e,t,n,r){let o=Object.fromEntries(e.questions.map(({name:i},a)=>[i,r[a]])),s=U({answers:o,form:t,id:n});if(s.length>e.size)throw new RangeError("report: too long");return s.padEnd(e.size)}
function U(e){return Array.isArray(e)?e.every(Number.isSafeInteger)?JSON.stringify(e):`[${e.map(U).join(",")}]`:e!==null&&typeof e=="object"?`{${Object.keys(e).sort((r,o)=>Pr(r)<Pr(o)?-1:1).map(r=>`${U(r)}:${U(e[r])}`).join(",")}}`:JSON.stringify(e).replace(/[<>&\u007f-\uffff]/g,Js)}
var Pr=e=>e.replace(/[\ue000-\u{10ffff}]/gu,t=>(t[1]?"￿":"￾")+t);
function C(e,t){return Number.isInteger(e)&&e>=0&&e<t}
function dt(e,t,n,r=0){if(C(t,n)&&t>=r)return t;throw new RangeError(`answers.${e.name}: an integer in [${r}, ${n})`)}
function Qs({name:e,kind:t,ask:n},r){if(!(r===void 0||t==="cuts"&&n==="narrow"&&C(r,jt)))throw new RangeError(`steps.${e}: where asked in steps`)}
function Js(e){return`\\u${e.charCodeAt(0).toString(16).padStart(4,"0")}`}
