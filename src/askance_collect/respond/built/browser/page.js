async function Yd(e){let t=await el(I("form").textContent,e);return typeof t=="string"?qd(t):(window.addEventListener("pageshow",({persisted:n})=>n&&location.reload()),mn(t,e,xe(t,e,()=>window.sessionStorage)))}
function qd(e){let t=I("contact");t.className="",e==="changed"&&t.remove();let n=[document.documentElement.lang,...Object.keys(lt)];Kt(Yt(e,{speech:sn(on(n))}),!0)}
async function el(e,t){if(location.protocol!=="file:"&&!Wn(location))return"unsafe";if(!globalThis.crypto?.subtle)return"chance";if(await Z(e)!==t)return"changed";try{let n=mt(e);return origin==="null"&&!n.saved?"homeless":Wn(J(n,location.href))?n:"unsafe"}catch{return"changed"}}
var start=Yd;
