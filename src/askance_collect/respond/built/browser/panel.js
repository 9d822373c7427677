var CODE=/^[!-~]{1,100}$/,
WAY_BACK=/^https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/,
LONGEST=1e3,
AROUND=/^(https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])|http:\/\/(localhost|127\.0\.0\.1))(:[0-9]{1,5})?$/,
MOST_AROUND=10,
BLANK=/\{(\w+)\}/g;
function validateEnding({ending:e,languages:t,collector:s}){const a={thanks:n=>isWording(n,t),code:n=>matches(n,CODE),url:n=>matches(n,WAY_BACK)&&n.length<=LONGEST&&leadsElsewhere(n,s),within:n=>isList(n)&&n.length>0&&n.length<=MOST_AROUND&&allDistinct(n)&&n.every(isOrigin)},r=Object.keys(e??{});assert(r.length>0&&r.every(n=>Object.hasOwn(a,n)&&a[n](e[n])),"ending")}
function isOrigin(e){try{return matches(e,AROUND)&&new URL(e).origin.length>0}catch{return!1}}
var hostOf=e=>new URL(e).hostname.replace(/\.$/,"");
function leadsElsewhere(e,t){try{return hostOf(e)!==(t&&hostOf(t))}catch{return!1}}
function wayBack(e,{hash:t},s){const a=new URLSearchParams(hostOf(e)===s.replace(/\.$/,"")?"":t.slice(1));return e.replace(BLANK,(r,n)=>encodeURIComponent(a.get(n)??""))}
function tellAround(e,{form:{ending:t},fingerprint:s}){const a=window.parent===window?window.opener:window.parent,r={askance:"ended",form:s,sent:e==="receipt"};(t.within??[]).forEach(n=>a?.postMessage(r,n))}
function renderEnding([e,t,...s],a,r){return tellAround(a,r),[e,t,...a==="receipt"?toPanel(r):[],...s]}
function toPanel({form:e,speech:{words:t,text:s}}){const{thanks:a,code:r,url:n}=e.ending,o=a?paragraphs(s(a)):[];if(r&&o.push(element("h2",{},t.completion),element("p",{className:"code",translate:!1},r)),!n)return o;const c=wayBack(n,location,destination(e,location.href).hostname),i=button(t.wayBack(new URL(c).hostname),()=>location.assign(c),"main");return[...o,buttons(i),paragraph(t.wayBackHint,"hint")]}
register({name:"ending",detect:({ending:e})=>e!==void 0,validate:validateEnding,wrap:{renderEnding:()=>renderEnding}});
