var wd={ending:B({"thanks?":T,"code?":/^[!-~]{1,100}$/,"url?":/^(?!.{1001})https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/,"within?":[/^(https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])|http:\/\/(localhost|127\.0\.0\.1))(:[0-9]{1,5})?$/,1,j,10]})},
bd=/\{(\w+)\}/g;
function yd({ending:{url:e,within:t=[]},collector:n}){t.forEach(r=>new URL(r)),w(e===void 0||lr(e)!==(n&&lr(n)),"ending")}
var lr=e=>new URL(e).hostname.replace(/\.$/,"");
function kd(e,{hash:t},n){let r=new URLSearchParams(lr(e)===n.replace(/\.$/,"")?"":t.slice(1));return e.replace(bd,(o,s)=>encodeURIComponent(r.get(s)??""))}
function xd(e,{form:{ending:t},fingerprint:n}){let r=window.parent===window?window.opener:window.parent,o={askance:"ended",form:n,sent:e==="receipt"};(t.within??[]).forEach(s=>r?.postMessage(o,s))}
function Sd([e,t,...n],r,o){return xd(r,o),[e,t,...r==="receipt"?Od(o):[],...n]}
function Od({form:e,speech:{words:t,text:n}}){let{thanks:r,code:o,url:s}=e.ending,i=r?G(n(r)):[];if(o&&i.push(p("h2",{},t.completion),p("p",{className:"code",translate:!1},o)),!s)return i;let a=kd(s,location,z(e,location.href).hostname),c=b(t.wayBack(new URL(a).hostname),()=>location.assign(a),"main");return[...i,S(c),h(t.wayBackHint,"hint")]}
k({name:"ending",shapes:wd,validate:yd,wrap:{renderEnding:()=>Sd}});
