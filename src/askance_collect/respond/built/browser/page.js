async function Hc(e){let t=await Mc(L("form").textContent,e);return typeof t=="string"?Pc(t):(window.addEventListener("pageshow",({persisted:n})=>n&&location.reload()),Qt(t,e,le(t,e,()=>window.sessionStorage)))}
function Pc(e){let t=L("contact");t.className="",e==="changed"&&t.remove();let n=[document.documentElement.lang,...Object.keys(Ye)];Bt(Pt(e,{speech:Wt(Ft(n))}),!0)}
async function Mc(e,t){if(location.protocol!=="file:"&&!gn(location))return"unsafe";if(!globalThis.crypto?.subtle)return"chance";if(await Q(e)!==t)return"changed";try{let n=ot(e);return origin==="null"&&!n.saved?"homeless":gn(V(n,location.href))?n:"unsafe"}catch{return"changed"}}
var start=Hc;
async function Gc(e){let t=await Vc(N("form").textContent,e);return typeof t=="string"?zc(t):(window.addEventListener("pageshow",({persisted:n})=>n&&location.reload()),nn(t,e,ue(t,e,()=>window.sessionStorage)))}
function zc(e){let t=N("contact");t.className="",e==="changed"&&t.remove();let n=[document.documentElement.lang,...Object.keys(rt)];Wt(Gt(e,{speech:Zt(Jt(n))}),!0)}
async function Vc(e,t){if(location.protocol!=="file:"&&!Tn(location))return"unsafe";if(!globalThis.crypto?.subtle)return"chance";if(await z(e)!==t)return"changed";try{let n=dt(e);return origin==="null"&&!n.saved?"homeless":Tn(G(n,location.href))?n:"unsafe"}catch{return"changed"}}
var start=Gc;
