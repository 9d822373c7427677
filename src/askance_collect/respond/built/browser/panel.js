var nl={ending:R({"thanks?":O,"code?":/^[!-~]{1,100}$/,"url?":/^(?!.{1001})https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/,"within?":[/^(https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])|http:\/\/(localhost|127\.0\.0\.1))(:[0-9]{1,5})?$/,1,P,10],"full?":R({"thanks?":O,"code?":/^[!-~]{1,100}$/,"url?":/^(?!.{1001})https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/}),"screened?":R({"thanks?":O,"code?":/^[!-~]{1,100}$/,"url?":/^(?!.{1001})https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/})})},
rl=/\{(\w+)\}/g;
function ol({ending:e,collector:t}){(e.within??[]).forEach(r=>new URL(r));let n=[e,e.full,e.screened].flatMap(r=>r?.url??[]);w(n.every(r=>kr(r)!==(t&&kr(t))),"ending")}
var kr=e=>new URL(e).hostname.replace(/\.$/,"");
function sl(e,{hash:t},n){let r=new URLSearchParams(kr(e)===n.replace(/\.$/,"")?"":t.slice(1));return e.replace(rl,(o,s)=>encodeURIComponent(r.get(s)??""))}
function il(e,{form:{ending:t},fingerprint:n}){let r=window.parent===window?window.opener:window.parent,o={askance:"ended",form:n,sent:e==="receipt"};(t.within??[]).forEach(s=>r?.postMessage(o,s))}
function al([e,t,...n],r,o){il(r,o);let{ending:s}=o.form,a={receipt:s,full:s.full,closed:s.full,screened:s.screened}[r];return[e,t,...a?cl(o,a):[],...n]}
function cl({form:e,speech:{words:t,text:n}},{thanks:r,code:o,url:s}){let i=r?K(n(r)):[];if(o&&i.push(p("h2",{},t.completion),p("p",{className:"code",translate:!1},o)),!s)return i;let a=sl(s,location,Q(e,location.href).hostname),c=y(t.wayBack(new URL(a).hostname),()=>location.assign(a),"main");return[...i,A(c),h(t.wayBackHint,"hint")]}
b({name:"ending",shapes:nl,validate:ol,wrap:{renderEnding:()=>al}});
