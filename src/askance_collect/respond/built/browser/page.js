async function fd(e){let t=await md(N("form").textContent,e);return typeof t=="string"?pd(t):(window.addEventListener("pageshow",({persisted:n})=>n&&location.reload()),sn(t,e,he(t,e,()=>window.sessionStorage)))}
function pd(e){let t=N("contact");t.className="",e==="changed"&&t.remove();let n=[document.documentElement.lang,...Object.keys(it)];Wt(Qt(e,{speech:qt(Yt(n))}),!0)}
async function md(e,t){if(location.protocol!=="file:"&&!jn(location))return"unsafe";if(!globalThis.crypto?.subtle)return"chance";if(await V(e)!==t)return"changed";try{let n=ut(e);return origin==="null"&&!n.saved?"homeless":jn(z(n,location.href))?n:"unsafe"}catch{return"changed"}}
var start=fd;
async function ld(e){let t=await fd(T("form").textContent,e);return typeof t=="string"?ud(t):(window.addEventListener("pageshow",({persisted:n})=>n&&location.reload()),rn(t,e,ge(t,e,()=>window.sessionStorage)))}
function ud(e){let t=T("contact");t.className="",e==="changed"&&t.remove();let n=[document.documentElement.lang,...Object.keys(ot)];Ut(zt(e,{speech:Xt(Zt(n))}),!0)}
async function fd(e,t){if(location.protocol!=="file:"&&!Rn(location))return"unsafe";if(!globalThis.crypto?.subtle)return"chance";if(await V(e)!==t)return"changed";try{let n=lt(e);return origin==="null"&&!n.saved?"homeless":Rn(z(n,location.href))?n:"unsafe"}catch{return"changed"}}
var start=ld;
