async function Nd(e){let t=await Ld(L("form").textContent,e);return typeof t=="string"?Td(t):(window.addEventListener("pageshow",({persisted:n})=>n&&location.reload()),dn(t,e,we(t,e,()=>window.sessionStorage)))}
function Td(e){let t=L("contact");t.className="",e==="changed"&&t.remove();let n=[document.documentElement.lang,...Object.keys(at)];Kt(Jt(e,{speech:nn(tn(n))}),!0)}
async function Ld(e,t){if(location.protocol!=="file:"&&!Pn(location))return"unsafe";if(!globalThis.crypto?.subtle)return"chance";if(await J(e)!==t)return"changed";try{let n=ft(e);return origin==="null"&&!n.saved?"homeless":Pn(Q(n,location.href))?n:"unsafe"}catch{return"changed"}}
var start=Nd;
