var hp=3e4;
function Q(e,t){return new URL("report",e.collector||t)}
function Wn({protocol:e,hostname:t}){let n=["localhost","127.0.0.1","[::1]"].includes(t);return e==="https:"||e==="http:"&&n}
async function Gt(e,t,n,r=""){try{let o=await Ze(e,{method:"POST",body:t+r,headers:{"Content-Type":"text/plain"}}),s=await eo(o);if(!o.ok)return{code:String(s?.error?.code??(o.status===429?"busy":"blocked"))};let i=await J(t);return s?.accepted===!0&&s.id===n&&s.digest===i?{id:n,digest:i,page:String(s.page)}:{code:"blocked"}}catch{return{code:"unreachable"}}}
async function to(e,t){try{let n=await Ze(e,{}),r=await eo(n);return{status:Ci(n,r,t),full:r?.full}}catch{return{status:"silent"}}}
function Ci(e,t,n){return(t?t.error?.code==="not-found":e.status<408)?"unknown":!e.ok||typeof t?.open!="boolean"?"silent":t.form!==n?"replaced":t.open?"open":"closed"}
var eo=e=>e.json().catch(()=>null),
Ze=(e,t)=>fetch(e,{...t,credentials:"omit",cache:"no-store",redirect:"manual",referrerPolicy:"no-referrer",signal:AbortSignal.timeout?.(3e4)});
async function J(e){let t=await crypto.subtle.digest("SHA-256",new TextEncoder().encode(e));return[...new Uint8Array(t)].map(n=>n.toString(16).padStart(2,"0")).join("")}
