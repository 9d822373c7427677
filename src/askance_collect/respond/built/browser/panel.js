var Tc=/^[!-~]{1,100}$/,
$c=/^https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/,
Lc=1e3,
Ic=/^(https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])|http:\/\/(localhost|127\.0\.0\.1))(:[0-9]{1,5})?$/,
Nc=10,
Cc=/\{(\w+)\}/g;
function vc({ending:e,languages:t,collector:n}){let r={thanks:s=>R(s,t),code:s=>D(s,Tc),url:s=>D(s,$c)&&s.length<=Lc&&jc(s,n),within:s=>E(s)&&s.length>0&&s.length<=Nc&&M(s)&&s.every(Rc)},o=Object.keys(e??{});p(o.length>0&&o.every(s=>Object.hasOwn(r,s)&&r[s](e[s])),"ending")}
function Rc(e){try{return D(e,Ic)&&new URL(e).origin.length>0}catch{return!1}}
var Hn=e=>new URL(e).hostname.replace(/\.$/,"");
function jc(e,t){try{return Hn(e)!==(t&&Hn(t))}catch{return!1}}
function Bc(e,{hash:t},n){let r=new URLSearchParams(Hn(e)===n.replace(/\.$/,"")?"":t.slice(1));return e.replace(Cc,(o,s)=>encodeURIComponent(r.get(s)??""))}
function Hc(e,{form:{ending:t},fingerprint:n}){let r=window.parent===window?window.opener:window.parent,o={askance:"ended",form:n,sent:e==="receipt"};(t.within??[]).forEach(s=>r?.postMessage(o,s))}
function Pc([e,t,...n],r,o){return Hc(r,o),[e,t,...r==="receipt"?Mc(o):[],...n]}
function Mc({form:e,speech:{words:t,text:n}}){let{thanks:r,code:o,url:s}=e.ending,i=r?Y(n(r)):[];if(o&&i.push(m("h2",{},t.completion),m("p",{className:"code",translate:!1},o)),!s)return i;let a=Bc(s,location,z(e,location.href).hostname),c=b(t.wayBack(new URL(a).hostname),()=>location.assign(a),"main");return[...i,S(c),h(t.wayBackHint,"hint")]}
k({name:"ending",detect:({ending:e})=>e!==void 0,validate:vc,wrap:{renderEnding:()=>Pc}});
