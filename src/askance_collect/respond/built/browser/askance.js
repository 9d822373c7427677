var jt=2**48,
S={};
function Me(){return te(6).reduce((e,t)=>e*256+t,0)}
function Hr(){return[...te(16)].map(e=>e.toString(16).padStart(2,"0")).join("")}
function te(e){try{let t=globalThis.crypto.getRandomValues(new Uint8Array(e));if(Qs(t))return t}catch{}throw at.failed(),new Error("no chance")}
var Qs=vr(),
at={failed(){}};
function vt(){for(let e=0;e<64;e+=1)te(16)}
function On(e,t){if(!C(e,jt+1)||e===0)throw new RangeError("bound: an integer in [1, 2^48]");let n=jt-jt%e,r=t();for(;r>=n;)r=t();return r%e}
function ct(e){return e.kind==="table"?[e.blank[1],e.table.total]:S[e.kind]?.drawBounds?.(e)??[]}
function Bt(e,t){return ct(e).map(n=>On(n,t))}
function De(e,t,n,r){if(Js(e,r),t===null)return null;if(S[e.kind])return S[e.kind].encode(e,t,n,r);let o=dt(e,t,e.answers.length);if(e.kind==="choice")return o;let s=Rt(e.table.rows[o],n[1]);return An(e,n)?null:s}
var An=({blank:e},[t])=>t<e[0];
function Pr(e,t,n,r){let o=Object.fromEntries(e.questions.map(({name:i},a)=>[i,r[a]])),s=U({answers:o,form:t,id:n});if(s.length>e.size)throw new RangeError("report: too long");return s.padEnd(e.size)}
function U(e){return Array.isArray(e)?e.every(Number.isSafeInteger)?JSON.stringify(e):`[${e.map(U).join(",")}]`:e!==null&&typeof e=="object"?`{${Object.keys(e).sort((r,o)=>Br(r)<Br(o)?-1:1).map(r=>`${U(r)}:${U(e[r])}`).join(",")}}`:JSON.stringify(e).replace(/[<>&\u007f-\uffff]/g,Zs)}
var Br=e=>e.replace(/[\ue000-\u{10ffff}]/gu,t=>(t[1]?"￿":"￾")+t);
function C(e,t){return Number.isInteger(e)&&e>=0&&e<t}
function dt(e,t,n,r=0){if(C(t,n)&&t>=r)return t;throw new RangeError(`answers.${e.name}: an integer in [${r}, ${n})`)}
function Js({name:e,kind:t,ask:n},r){if(!(r===void 0||t==="cuts"&&n==="narrow"&&C(r,jt)))throw new RangeError(`steps.${e}: where asked in steps`)}
function Zs(e){return`\\u${e.charCodeAt(0).toString(16).padStart(4,"0")}`}
