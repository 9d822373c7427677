var Nc=/^[!-~]{1,100}$/,
Cc=/^https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/,
vc=1e3,
Rc=/^(https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])|http:\/\/(localhost|127\.0\.0\.1))(:[0-9]{1,5})?$/,
jc=10,
Bc=/\{(\w+)\}/g;
function Hc({ending:e,languages:t,collector:n}){let r={thanks:s=>R(s,t),code:s=>D(s,Nc),url:s=>D(s,Cc)&&s.length<=vc&&Mc(s,n),within:s=>T(s)&&s.length>0&&s.length<=jc&&M(s)&&s.every(Pc)},o=Object.keys(e??{});p(o.length>0&&o.every(s=>Object.hasOwn(r,s)&&r[s](e[s])),"ending")}
function Pc(e){try{return D(e,Rc)&&new URL(e).origin.length>0}catch{return!1}}
var Dn=e=>new URL(e).hostname.replace(/\.$/,"");
function Mc(e,t){try{return Dn(e)!==(t&&Dn(t))}catch{return!1}}
function Dc(e,{hash:t},n){let r=new URLSearchParams(Dn(e)===n.replace(/\.$/,"")?"":t.slice(1));return e.replace(Bc,(o,s)=>encodeURIComponent(r.get(s)??""))}
function Uc(e,{form:{ending:t},fingerprint:n}){let r=window.parent===window?window.opener:window.parent,o={askance:"ended",form:n,sent:e==="receipt"};(t.within??[]).forEach(s=>r?.postMessage(o,s))}
function Fc([e,t,...n],r,o){return Uc(r,o),[e,t,...r==="receipt"?Wc(o):[],...n]}
function Wc({form:e,speech:{words:t,text:n}}){let{thanks:r,code:o,url:s}=e.ending,i=r?X(n(r)):[];if(o&&i.push(m("h2",{},t.completion),m("p",{className:"code",translate:!1},o)),!s)return i;let a=Dc(s,location,z(e,location.href).hostname),c=b(t.wayBack(new URL(a).hostname),()=>location.assign(a),"main");return[...i,S(c),h(t.wayBackHint,"hint")]}
k({name:"ending",detect:({ending:e})=>e!==void 0,validate:Hc,wrap:{renderEnding:()=>Fc}});
