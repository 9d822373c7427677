var hd={ending:B({"thanks?":I,"code?":/^[!-~]{1,100}$/,"url?":/^(?!.{1001})https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/,"within?":[/^(https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])|http:\/\/(localhost|127\.0\.0\.1))(:[0-9]{1,5})?$/,1,j,10]})},
gd=/\{(\w+)\}/g;
function wd({ending:{url:e,within:t=[]},collector:n}){t.forEach(r=>new URL(r)),w(e===void 0||dr(e)!==(n&&dr(n)),"ending")}
var dr=e=>new URL(e).hostname.replace(/\.$/,"");
function bd(e,{hash:t},n){let r=new URLSearchParams(dr(e)===n.replace(/\.$/,"")?"":t.slice(1));return e.replace(gd,(o,s)=>encodeURIComponent(r.get(s)??""))}
function yd(e,{form:{ending:t},fingerprint:n}){let r=window.parent===window?window.opener:window.parent,o={askance:"ended",form:n,sent:e==="receipt"};(t.within??[]).forEach(s=>r?.postMessage(o,s))}
function kd([e,t,...n],r,o){return yd(r,o),[e,t,...r==="receipt"?xd(o):[],...n]}
function xd({form:e,speech:{words:t,text:n}}){let{thanks:r,code:o,url:s}=e.ending,i=r?G(n(r)):[];if(o&&i.push(p("h2",{},t.completion),p("p",{className:"code",translate:!1},o)),!s)return i;let a=bd(s,location,z(e,location.href).hostname),c=b(t.wayBack(new URL(a).hostname),()=>location.assign(a),"main");return[...i,S(c),h(t.wayBackHint,"hint")]}
k({name:"ending",shapes:hd,validate:wd,wrap:{renderEnding:()=>kd}});
var pd={ending:j({"thanks?":N,"code?":/^[!-~]{1,100}$/,"url?":/^(?!.{1001})https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/,"within?":[/^(https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])|http:\/\/(localhost|127\.0\.0\.1))(:[0-9]{1,5})?$/,1,v,10]})},
md=/\{(\w+)\}/g;
function hd({ending:{url:e,within:t=[]},collector:n}){t.forEach(r=>new URL(r)),b(e===void 0||cr(e)!==(n&&cr(n)),"ending")}
var cr=e=>new URL(e).hostname.replace(/\.$/,"");
function gd(e,{hash:t},n){let r=new URLSearchParams(cr(e)===n.replace(/\.$/,"")?"":t.slice(1));return e.replace(md,(o,s)=>encodeURIComponent(r.get(s)??""))}
function wd(e,{form:{ending:t},fingerprint:n}){let r=window.parent===window?window.opener:window.parent,o={askance:"ended",form:n,sent:e==="receipt"};(t.within??[]).forEach(s=>r?.postMessage(o,s))}
function bd([e,t,...n],r,o){return wd(r,o),[e,t,...r==="receipt"?yd(o):[],...n]}
function yd({form:e,speech:{words:t,text:n}}){let{thanks:r,code:o,url:s}=e.ending,i=r?G(n(r)):[];if(o&&i.push(m("h2",{},t.completion),m("p",{className:"code",translate:!1},o)),!s)return i;let a=gd(s,location,z(e,location.href).hostname),c=w(t.wayBack(new URL(a).hostname),()=>location.assign(a),"main");return[...i,S(c),h(t.wayBackHint,"hint")]}
y({name:"ending",shapes:pd,validate:hd,wrap:{renderEnding:()=>bd}});
