async function cd(e){let t=await ld(N("form").textContent,e);return typeof t=="string"?dd(t):(window.addEventListener("pageshow",({persisted:n})=>n&&location.reload()),rn(t,e,he(t,e,()=>window.sessionStorage)))}
function dd(e){let t=N("contact");t.className="",e==="changed"&&t.remove();let n=[document.documentElement.lang,...Object.keys(ot)];Mt(zt(e,{speech:Xt(Zt(n))}),!0)}
async function ld(e,t){if(location.protocol!=="file:"&&!Rn(location))return"unsafe";if(!globalThis.crypto?.subtle)return"chance";if(await V(e)!==t)return"changed";try{let n=lt(e);return origin==="null"&&!n.saved?"homeless":Rn(z(n,location.href))?n:"unsafe"}catch{return"changed"}}
var start=cd;
