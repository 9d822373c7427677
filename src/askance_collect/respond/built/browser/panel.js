var kd={ending:j({"thanks?":E,"code?":/^[!-~]{1,100}$/,"url?":/^(?!.{1001})https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/,"within?":[/^(https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])|http:\/\/(localhost|127\.0\.0\.1))(:[0-9]{1,5})?$/,1,B,10],"full?":j({"thanks?":E,"code?":/^[!-~]{1,100}$/,"url?":/^(?!.{1001})https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/}),"screened?":j({"thanks?":E,"code?":/^[!-~]{1,100}$/,"url?":/^(?!.{1001})https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/})})},
xd=/\{(\w+)\}/g;
function Sd({ending:e,collector:t}){(e.within??[]).forEach(r=>new URL(r));let n=[e,e.full,e.screened].flatMap(r=>r?.url??[]);w(n.every(r=>lr(r)!==(t&&lr(t))),"ending")}
var lr=e=>new URL(e).hostname.replace(/\.$/,"");
function Od(e,{hash:t},n){let r=new URLSearchParams(lr(e)===n.replace(/\.$/,"")?"":t.slice(1));return e.replace(xd,(o,s)=>encodeURIComponent(r.get(s)??""))}
function Ad(e,{form:{ending:t},fingerprint:n}){let r=window.parent===window?window.opener:window.parent,o={askance:"ended",form:n,sent:e==="receipt"};(t.within??[]).forEach(s=>r?.postMessage(o,s))}
function Ed([e,t,...n],r,o){Ad(r,o);let{ending:s}=o.form,a={receipt:s,full:s.full,closed:s.full,screened:s.screened}[r];return[e,t,...a?Nd(o,a):[],...n]}
function Nd({form:e,speech:{words:t,text:n}},{thanks:r,code:o,url:s}){let i=r?G(n(r)):[];if(o&&i.push(m("h2",{},t.completion),m("p",{className:"code",translate:!1},o)),!s)return i;let a=Od(s,location,z(e,location.href).hostname),c=b(t.wayBack(new URL(a).hostname),()=>location.assign(a),"main");return[...i,S(c),h(t.wayBackHint,"hint")]}
y({name:"ending",shapes:kd,validate:Sd,wrap:{renderEnding:()=>Ed}});
