async function $c(e){let t=await Ic(L("form").textContent,e);return typeof t=="string"?Lc(t):(window.addEventListener("pageshow",({persisted:n})=>n&&location.reload()),Vt(t,e,ce(t,e,()=>window.sessionStorage)))}
function Lc(e){let t=L("contact");t.className="",e==="changed"&&t.remove();let n=[document.documentElement.lang,...Object.keys(Ye)];jt(Ht(e,{speech:Ft(Ut(n))}),!0)}
async function Ic(e,t){if(location.protocol!=="file:"&&!hn(location))return"unsafe";if(!globalThis.crypto?.subtle)return"chance";if(await V(e)!==t)return"changed";try{let n=ot(e);return origin==="null"&&!n.saved?"homeless":hn(z(n,location.href))?n:"unsafe"}catch{return"changed"}}
var start=$c;
