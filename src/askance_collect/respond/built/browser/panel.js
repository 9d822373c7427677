var Id={ending:j({"thanks?":A,"code?":/^[!-~]{1,100}$/,"url?":/^(?!.{1001})https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/,"within?":[/^(https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])|http:\/\/(localhost|127\.0\.0\.1))(:[0-9]{1,5})?$/,1,H,10],"full?":j({"thanks?":A,"code?":/^[!-~]{1,100}$/,"url?":/^(?!.{1001})https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/}),"screened?":j({"thanks?":A,"code?":/^[!-~]{1,100}$/,"url?":/^(?!.{1001})https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/})})},
$d=/\{(\w+)\}/g;
function Cd({ending:e,collector:t}){(e.within??[]).forEach(r=>new URL(r));let n=[e,e.full,e.screened].flatMap(r=>r?.url??[]);w(n.every(r=>fr(r)!==(t&&fr(t))),"ending")}
var fr=e=>new URL(e).hostname.replace(/\.$/,"");
function Rd(e,{hash:t},n){let r=new URLSearchParams(fr(e)===n.replace(/\.$/,"")?"":t.slice(1));return e.replace($d,(o,s)=>encodeURIComponent(r.get(s)??""))}
function vd(e,{form:{ending:t},fingerprint:n}){let r=window.parent===window?window.opener:window.parent,o={askance:"ended",form:n,sent:e==="receipt"};(t.within??[]).forEach(s=>r?.postMessage(o,s))}
function jd([e,t,...n],r,o){vd(r,o);let{ending:s}=o.form,a={receipt:s,full:s.full,closed:s.full,screened:s.screened}[r];return[e,t,...a?Bd(o,a):[],...n]}
function Bd({form:e,speech:{words:t,text:n}},{thanks:r,code:o,url:s}){let i=r?z(n(r)):[];if(o&&i.push(p("h2",{},t.completion),p("p",{className:"code",translate:!1},o)),!s)return i;let a=Rd(s,location,Q(e,location.href).hostname),c=y(t.wayBack(new URL(a).hostname),()=>location.assign(a),"main");return[...i,S(c),h(t.wayBackHint,"hint")]}
b({name:"ending",shapes:Id,validate:Cd,wrap:{renderEnding:()=>jd}});
