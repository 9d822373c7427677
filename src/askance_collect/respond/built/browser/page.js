async function vd(e){let t=await Hd(L("form").textContent,e);return typeof t=="string"?Bd(t):(window.addEventListener("pageshow",({persisted:n})=>n&&location.reload()),un(t,e,ye(t,e,()=>window.sessionStorage)))}
function Bd(e){let t=L("contact");t.className="",e==="changed"&&t.remove();let n=[document.documentElement.lang,...Object.keys(ct)];Kt(Zt(e,{speech:rn(nn(n))}),!0)}
async function Hd(e,t){if(location.protocol!=="file:"&&!Mn(location))return"unsafe";if(!globalThis.crypto?.subtle)return"chance";if(await J(e)!==t)return"changed";try{let n=pt(e);return origin==="null"&&!n.saved?"homeless":Mn(Q(n,location.href))?n:"unsafe"}catch{return"changed"}}
var start=vd;
