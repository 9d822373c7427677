async function Jd(e){let t=await Xd(I("form").textContent,e);return typeof t=="string"?Zd(t):(window.addEventListener("pageshow",({persisted:n})=>n&&location.reload()),fn(t,e,ke(t,e,()=>window.sessionStorage)))}
function Zd(e){let t=I("contact");t.className="",e==="changed"&&t.remove();let n=[document.documentElement.lang,...Object.keys(lt)];Kt(Zt(e,{speech:rn(nn(n))}),!0)}
async function Xd(e,t){if(location.protocol!=="file:"&&!Dn(location))return"unsafe";if(!globalThis.crypto?.subtle)return"chance";if(await J(e)!==t)return"changed";try{let n=mt(e);return origin==="null"&&!n.saved?"homeless":Dn(Q(n,location.href))?n:"unsafe"}catch{return"changed"}}
var start=Jd;
