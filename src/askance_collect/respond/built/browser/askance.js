var yt=2**48,
T={};
function Ie(){return Z(6).reduce((e,t)=>e*256+t,0)}
function Xn(){return[...Z(16)].map(e=>e.toString(16).padStart(2,"0")).join("")}
function Z(e){try{let t=globalThis.crypto.getRandomValues(new Uint8Array(e));if(Ko(t))return t}catch{}throw ze.failed(),new Error("no chance")}
var Ko=Zn(),
ze={failed(){}};
function kt(){for(let e=0;e<64;e+=1)Z(16)}
function tn(e,t){if(!y(e,yt+1)||e===0)throw new RangeError("bound: an integer in [1, 2^48]");let n=yt-yt%e,r=t();for(;r>=n;)r=t();return r%e}
function Ve(e){return e.kind==="table"?[e.blank[1],e.table.total]:T[e.kind]?.drawBounds?.(e)??[]}
function xt(e,t){return Ve(e).map(n=>tn(n,t))}
function Ne(e,t,n,r){if(Go(e,r),t===null)return null;if(T[e.kind])return T[e.kind].encode(e,t,n,r);let o=Qe(e,t,e.answers.length);if(e.kind==="choice")return o;let s=bt(e.table.rows[o],n[1]);return nn(e,n)?null:s}
var nn=({blank:e},[t])=>t<e[0];
function qn(e,t,n,r){let o=Object.fromEntries(e.questions.map(({name:i},a)=>[i,r[a]])),s=F({answers:o,form:t,id:n});if(s.length>e.size)throw new RangeError("report: too long");return s.padEnd(e.size)}
function F(e){return Array.isArray(e)?`[${e.map(F).join(",")}]`:e!==null&&typeof e=="object"?`{${Object.keys(e).sort((r,o)=>Yn(r)<Yn(o)?-1:1).map(r=>`${F(r)}:${F(e[r])}`).join(",")}}`:JSON.stringify(e).replace(/[<>&\u007f-\uffff]/g,zo)}
var Yn=e=>e.replace(/[\ue000-\u{10ffff}]/gu,t=>(t[1]?"￿":"￾")+t);
function y(e,t){return Number.isInteger(e)&&e>=0&&e<t}
function Qe(e,t,n,r=0){if(y(t,n)&&t>=r)return t;throw new RangeError(`answers.${e.name}: an integer in [${r}, ${n})`)}
function Go({name:e,kind:t,ask:n},r){if(!(r===void 0||t==="cuts"&&n==="narrow"&&y(r,yt)))throw new RangeError(`steps.${e}: where asked in steps`)}
function zo(e){return`\\u${e.charCodeAt(0).toString(16).padStart(4,"0")}`}
