var zu=3e4;
function V(e,t){return new URL("report",e.collector||t)}
function gn({protocol:e,hostname:t}){let n=["localhost","127.0.0.1","[::1]"].includes(t);return e==="https:"||e==="http:"&&n}
async function vt(e,t,n,r=""){try{let o=await Me(e,{method:"POST",body:t+r,headers:{"Content-Type":"text/plain"}}),s=await wr(o);if(!o.ok)return{code:String(s?.error?.code??(o.status===429?"busy":"blocked"))};let i=await Q(t);return s?.accepted===!0&&s.id===n&&s.digest===i?{id:n,digest:i,page:String(s.page)}:{code:"blocked"}}catch{return{code:"unreachable"}}}
async function br(e,t){try{let n=await Me(e,{}),r=await wr(n);return{status:vs(n,r,t),full:r?.full}}catch{return{status:"silent"}}}
function vs(e,t,n){return(t?t.error?.code==="not-found":e.status<408)?"unknown":!e.ok||typeof t?.open!="boolean"?"silent":t.form!==n?"replaced":t.open?"open":"closed"}
var wr=e=>e.json().catch(()=>null),
Me=(e,t)=>fetch(e,{...t,credentials:"omit",cache:"no-store",redirect:"manual",referrerPolicy:"no-referrer",signal:AbortSignal.timeout?.(3e4)});
async function Q(e){let t=await crypto.subtle.digest("SHA-256",new TextEncoder().encode(e));return[...new Uint8Array(t)].map(n=>n.toString(16).padStart(2,"0")).join("")}
var _u=3e4;
function G(e,t){return new URL("report",e.collector||t)}
function Tn({protocol:e,hostname:t}){let n=["localhost","127.0.0.1","[::1]"].includes(t);return e==="https:"||e==="http:"&&n}
async function Ft(e,t,n,r=""){try{let o=await Ue(e,{method:"POST",body:t+r,headers:{"Content-Type":"text/plain"}}),s=await Cr(o);if(!o.ok)return{code:String(s?.error?.code??(o.status===429?"busy":"blocked"))};let i=await z(t);return s?.accepted===!0&&s.id===n&&s.digest===i?{id:n,digest:i,page:String(s.page)}:{code:"blocked"}}catch{return{code:"unreachable"}}}
async function $r(e,t){try{let n=await Ue(e,{}),r=await Cr(n);return{status:Qs(n,r,t),full:r?.full}}catch{return{status:"silent"}}}
function Qs(e,t,n){return(t?t.error?.code==="not-found":e.status<408)?"unknown":!e.ok||typeof t?.open!="boolean"?"silent":t.form!==n?"replaced":t.open?"open":"closed"}
var Cr=e=>e.json().catch(()=>null),
Ue=(e,t)=>fetch(e,{...t,credentials:"omit",cache:"no-store",redirect:"manual",referrerPolicy:"no-referrer",signal:AbortSignal.timeout?.(3e4)});
async function z(e){let t=await crypto.subtle.digest("SHA-256",new TextEncoder().encode(e));return[...new Uint8Array(t)].map(n=>n.toString(16).padStart(2,"0")).join("")}
