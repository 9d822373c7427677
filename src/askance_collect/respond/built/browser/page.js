async function Oc(e){let t=await Ec(L("form").textContent,e);return typeof t=="string"?Ac(t):(window.addEventListener("pageshow",({persisted:n})=>n&&location.reload()),zt(t,e,ce(t,e,()=>window.sessionStorage)))}
function Ac(e){let t=L("contact");t.className="",e==="changed"&&t.remove();let n=[document.documentElement.lang,...Object.keys(Je)];vt(Bt(e,{speech:Ut(Dt(n))}),!0)}
async function Ec(e,t){if(location.protocol!=="file:"&&!pn(location))return"unsafe";if(!globalThis.crypto?.subtle)return"chance";if(await V(e)!==t)return"changed";try{let n=nt(e);return origin==="null"&&!n.saved?"homeless":pn(z(n,location.href))?n:"unsafe"}catch{return"changed"}}
var start=Oc;
