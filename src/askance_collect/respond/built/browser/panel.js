var ud={ending:j({"thanks?":I,"code?":/^[!-~]{1,100}$/,"url?":/^(?!.{1001})https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/,"within?":[/^(https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])|http:\/\/(localhost|127\.0\.0\.1))(:[0-9]{1,5})?$/,1,v,10]})},
fd=/\{(\w+)\}/g;
function pd({ending:{url:e,within:t=[]},collector:n}){t.forEach(r=>new URL(r)),b(e===void 0||ar(e)!==(n&&ar(n)),"ending")}
var ar=e=>new URL(e).hostname.replace(/\.$/,"");
function md(e,{hash:t},n){let r=new URLSearchParams(ar(e)===n.replace(/\.$/,"")?"":t.slice(1));return e.replace(fd,(o,s)=>encodeURIComponent(r.get(s)??""))}
function hd(e,{form:{ending:t},fingerprint:n}){let r=window.parent===window?window.opener:window.parent,o={askance:"ended",form:n,sent:e==="receipt"};(t.within??[]).forEach(s=>r?.postMessage(o,s))}
function gd([e,t,...n],r,o){return hd(r,o),[e,t,...r==="receipt"?wd(o):[],...n]}
function wd({form:e,speech:{words:t,text:n}}){let{thanks:r,code:o,url:s}=e.ending,i=r?G(n(r)):[];if(o&&i.push(p("h2",{},t.completion),p("p",{className:"code",translate:!1},o)),!s)return i;let a=md(s,location,z(e,location.href).hostname),c=w(t.wayBack(new URL(a).hostname),()=>location.assign(a),"main");return[...i,S(c),h(t.wayBackHint,"hint")]}
y({name:"ending",shapes:ud,validate:pd,wrap:{renderEnding:()=>gd}});
