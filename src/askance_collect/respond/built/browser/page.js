async function qd(e){let t=await tl(I("form").textContent,e);return typeof t=="string"?el(t):(window.addEventListener("pageshow",({persisted:n})=>n&&location.reload()),mn(t,e,ke(t,e,()=>window.sessionStorage)))}
function el(e){let t=I("contact");t.className="",e==="changed"&&t.remove();let n=[document.documentElement.lang,...Object.keys(lt)];Kt(Yt(e,{speech:sn(on(n))}),!0)}
async function tl(e,t){if(location.protocol!=="file:"&&!Wn(location))return"unsafe";if(!globalThis.crypto?.subtle)return"chance";if(await J(e)!==t)return"changed";try{let n=mt(e);return origin==="null"&&!n.saved?"homeless":Wn(Q(n,location.href))?n:"unsafe"}catch{return"changed"}}
var start=qd;
