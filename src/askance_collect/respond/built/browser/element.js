function p(e,t={},...n){let r=document.createElement(e);return Object.assign(r,t),r.append(...n.flat().filter(o=>o!=="")),r}
var h=(e,t="")=>p("p",{className:t},e);
function V(e){return e.trim().split(/\n\s*\n/).map(t=>h(t))}
function N(e){let t=e.trim().split(/\n+/);return p("h1",{tabIndex:-1},...t[1]?t.map(n=>p("span",{},n)):t)}
var Gr=500,
zr=-Gr;
function ei({detail:e=0,pointerType:t,timeStamp:n=0}={}){let r=t==="touch",o=r&&n-zr<Gr;return r&&(zr=n),o||e>1}
function y(e,t,n=""){let r=p("button",{type:"button",className:n},e);return r.addEventListener("click",o=>ei(o)||t()),r}
var S=(...e)=>p("div",{className:"buttons"},...e);
function v(e,...t){return p("details",{},p("summary",{},e),...t)}
function F(e,t,...n){return p(e,{className:t,translate:!1,spellcheck:!1},...n)}
var I=e=>document.getElementById(e);
