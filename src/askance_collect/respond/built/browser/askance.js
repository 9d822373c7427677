var xt=2**48,
E={};
function Ne(){return Y(6).reduce((e,t)=>e*256+t,0)}
function rr(){return[...Y(16)].map(e=>e.toString(16).padStart(2,"0")).join("")}
function Y(e){try{let t=globalThis.crypto.getRandomValues(new Uint8Array(e));if(Qo(t))return t}catch{}throw Qe.failed(),new Error("no chance")}
var Qo=tr(),
Qe={failed(){}};
function St(){for(let e=0;e<64;e+=1)Y(16)}
function rn(e,t){if(!y(e,xt+1)||e===0)throw new RangeError("bound: an integer in [1, 2^48]");let n=xt-xt%e,r=t();for(;r>=n;)r=t();return r%e}
function Je(e){return e.kind==="table"?[e.blank[1],e.table.total]:E[e.kind]?.drawBounds?.(e)??[]}
function Ot(e,t){return Je(e).map(n=>rn(n,t))}
function Ce(e,t,n,r){if(Jo(e,r),t===null)return null;if(E[e.kind])return E[e.kind].encode(e,t,n,r);let o=Ze(e,t,e.answers.length);if(e.kind==="choice")return o;let s=kt(e.table.rows[o],n[1]);return on(e,n)?null:s}
var on=({blank:e},[t])=>t<e[0];
function or(e,t,n,r){let o=Object.fromEntries(e.questions.map(({name:i},a)=>[i,r[a]])),s=F({answers:o,form:t,id:n});if(s.length>e.size)throw new RangeError("report: too long");return s.padEnd(e.size)}
function F(e){return Array.isArray(e)?`[${e.map(F).join(",")}]`:e!==null&&typeof e=="object"?`{${Object.keys(e).sort((r,o)=>nr(r)<nr(o)?-1:1).map(r=>`${F(r)}:${F(e[r])}`).join(",")}}`:JSON.stringify(e).replace(/[<>&\u007f-\uffff]/g,Zo)}
var nr=e=>e.replace(/[\ue000-\u{10ffff}]/gu,t=>(t[1]?"￿":"￾")+t);
function y(e,t){return Number.isInteger(e)&&e>=0&&e<t}
function Ze(e,t,n,r=0){if(y(t,n)&&t>=r)return t;throw new RangeError(`answers.${e.name}: an integer in [${r}, ${n})`)}
function Jo({name:e,kind:t,ask:n},r){if(!(r===void 0||t==="cuts"&&n==="narrow"&&y(r,xt)))throw new RangeError(`steps.${e}: where asked in steps`)}
function Zo(e){return`\\u${e.charCodeAt(0).toString(16).padStart(4,"0")}`}
