var Ct=2**48,
O={};
function De(){return ee(6).reduce((e,t)=>e*256+t,0)}
function Ir(){return[...ee(16)].map(e=>e.toString(16).padStart(2,"0")).join("")}
function ee(e){try{let t=globalThis.crypto.getRandomValues(new Uint8Array(e));if(Rs(t))return t}catch{}throw ot.failed(),new Error("no chance")}
var Rs=Tr(),
ot={failed(){}};
function Rt(){for(let e=0;e<64;e+=1)ee(16)}
function yn(e,t){if(!C(e,Ct+1)||e===0)throw new RangeError("bound: an integer in [1, 2^48]");let n=Ct-Ct%e,r=t();for(;r>=n;)r=t();return r%e}
function st(e){return e.kind==="table"?[e.blank[1],e.table.total]:O[e.kind]?.drawBounds?.(e)??[]}
function vt(e,t){return st(e).map(n=>yn(n,t))}
function Me(e,t,n,r){if(vs(e,r),t===null)return null;if(O[e.kind])return O[e.kind].encode(e,t,n,r);let o=it(e,t,e.answers.length);if(e.kind==="choice")return o;let s=$t(e.table.rows[o],n[1]);return kn(e,n)?null:s}
var kn=({blank:e},[t])=>t<e[0];
function $r(e,t,n,r){let o=Object.fromEntries(e.questions.map(({name:i},a)=>[i,r[a]])),s=U({answers:o,form:t,id:n});if(s.length>e.size)throw new RangeError("report: too long");return s.padEnd(e.size)}
function U(e){return Array.isArray(e)?e.every(Number.isSafeInteger)?JSON.stringify(e):`[${e.map(U).join(",")}]`:e!==null&&typeof e=="object"?`{${Object.keys(e).sort((r,o)=>Lr(r)<Lr(o)?-1:1).map(r=>`${U(r)}:${U(e[r])}`).join(",")}}`:JSON.stringify(e).replace(/[<>&\u007f-\uffff]/g,js)}
var Lr=e=>e.replace(/[\ue000-\u{10ffff}]/gu,t=>(t[1]?"￿":"￾")+t);
function C(e,t){return Number.isInteger(e)&&e>=0&&e<t}
function it(e,t,n,r=0){if(C(t,n)&&t>=r)return t;throw new RangeError(`answers.${e.name}: an integer in [${r}, ${n})`)}
function vs({name:e,kind:t,ask:n},r){if(!(r===void 0||t==="cuts"&&n==="narrow"&&C(r,Ct)))throw new RangeError(`steps.${e}: where asked in steps`)}
function js(e){return`\\u${e.charCodeAt(0).toString(16).padStart(4,"0")}`}
