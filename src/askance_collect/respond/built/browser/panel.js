var Dc=/^[!-~]{1,100}$/,
Uc=/^https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/,
Fc=1e3,
Wc=/^(https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])|http:\/\/(localhost|127\.0\.0\.1))(:[0-9]{1,5})?$/,
_c=10,
Kc=/\{(\w+)\}/g;
function Gc({ending:e,languages:t,collector:n}){let r={thanks:s=>R(s,t),code:s=>D(s,Dc),url:s=>D(s,Uc)&&s.length<=Fc&&Vc(s,n),within:s=>A(s)&&s.length>0&&s.length<=_c&&M(s)&&s.every(zc)},o=Object.keys(e??{});p(o.length>0&&o.every(s=>Object.hasOwn(r,s)&&r[s](e[s])),"ending")}
function zc(e){try{return D(e,Wc)&&new URL(e).origin.length>0}catch{return!1}}
var Fn=e=>new URL(e).hostname.replace(/\.$/,"");
function Vc(e,t){try{return Fn(e)!==(t&&Fn(t))}catch{return!1}}
function Qc(e,{hash:t},n){let r=new URLSearchParams(Fn(e)===n.replace(/\.$/,"")?"":t.slice(1));return e.replace(Kc,(o,s)=>encodeURIComponent(r.get(s)??""))}
function Jc(e,{form:{ending:t},fingerprint:n}){let r=window.parent===window?window.opener:window.parent,o={askance:"ended",form:n,sent:e==="receipt"};(t.within??[]).forEach(s=>r?.postMessage(o,s))}
function Zc([e,t,...n],r,o){return Jc(r,o),[e,t,...r==="receipt"?Yc(o):[],...n]}
function Yc({form:e,speech:{words:t,text:n}}){let{thanks:r,code:o,url:s}=e.ending,i=r?z(n(r)):[];if(o&&i.push(m("h2",{},t.completion),m("p",{className:"code",translate:!1},o)),!s)return i;let a=Qc(s,location,V(e,location.href).hostname),c=b(t.wayBack(new URL(a).hostname),()=>location.assign(a),"main");return[...i,O(c),h(t.wayBackHint,"hint")]}
k({name:"ending",detect:({ending:e})=>e!==void 0,validate:Gc,wrap:{renderEnding:()=>Zc}});
var Qc={ending:B({"thanks?":$,"code?":/^[!-~]{1,100}$/,"url?":/^(?!.{1001})https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/,"within?":[/^(https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])|http:\/\/(localhost|127\.0\.0\.1))(:[0-9]{1,5})?$/,1,j,10]})},
Jc=/\{(\w+)\}/g;
function Zc({ending:{url:e,within:t=[]},collector:n}){t.forEach(r=>new URL(r)),b(e===void 0||nr(e)!==(n&&nr(n)),"ending")}
var nr=e=>new URL(e).hostname.replace(/\.$/,"");
function Xc(e,{hash:t},n){let r=new URLSearchParams(nr(e)===n.replace(/\.$/,"")?"":t.slice(1));return e.replace(Jc,(o,s)=>encodeURIComponent(r.get(s)??""))}
function Yc(e,{form:{ending:t},fingerprint:n}){let r=window.parent===window?window.opener:window.parent,o={askance:"ended",form:n,sent:e==="receipt"};(t.within??[]).forEach(s=>r?.postMessage(o,s))}
function qc([e,t,...n],r,o){return Yc(r,o),[e,t,...r==="receipt"?ed(o):[],...n]}
function ed({form:e,speech:{words:t,text:n}}){let{thanks:r,code:o,url:s}=e.ending,i=r?Y(n(r)):[];if(o&&i.push(p("h2",{},t.completion),p("p",{className:"code",translate:!1},o)),!s)return i;let a=Xc(s,location,G(e,location.href).hostname),c=w(t.wayBack(new URL(a).hostname),()=>location.assign(a),"main");return[...i,x(c),m(t.wayBackHint,"hint")]}
y({name:"ending",shapes:Qc,validate:Zc,wrap:{renderEnding:()=>qc}});
