async function td(e){let t=await rd(N("form").textContent,e);return typeof t=="string"?nd(t):(window.addEventListener("pageshow",({persisted:n})=>n&&location.reload()),rn(t,e,pe(t,e,()=>window.sessionStorage)))}
function nd(e){let t=N("contact");t.className="",e==="changed"&&t.remove();let n=[document.documentElement.lang,...Object.keys(rt)];Kt(zt(e,{speech:Xt(Zt(n))}),!0)}
async function rd(e,t){if(location.protocol!=="file:"&&!Ln(location))return"unsafe";if(!globalThis.crypto?.subtle)return"chance";if(await V(e)!==t)return"changed";try{let n=dt(e);return origin==="null"&&!n.saved?"homeless":Ln(z(n,location.href))?n:"unsafe"}catch{return"changed"}}
var start=td;
