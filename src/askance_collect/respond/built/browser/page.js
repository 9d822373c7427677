async function wd(e){let t=await yd(T("form").textContent,e);return typeof t=="string"?bd(t):(window.addEventListener("pageshow",({persisted:n})=>n&&location.reload()),sn(t,e,ge(t,e,()=>window.sessionStorage)))}
function bd(e){let t=T("contact");t.className="",e==="changed"&&t.remove();let n=[document.documentElement.lang,...Object.keys(at)];Wt(Qt(e,{speech:qt(Yt(n))}),!0)}
async function yd(e,t){if(location.protocol!=="file:"&&!jn(location))return"unsafe";if(!globalThis.crypto?.subtle)return"chance";if(await V(e)!==t)return"changed";try{let n=ft(e);return origin==="null"&&!n.saved?"homeless":jn(z(n,location.href))?n:"unsafe"}catch{return"changed"}}
var start=wd;
