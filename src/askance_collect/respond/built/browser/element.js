function p(e,t={},...n){let r=document.createElement(e);return Object.assign(r,t),r.append(...n.flat().filter(o=>o!=="")),r}
var h=(e,t="")=>p("p",{className:t},e);
function K(e){return e.trim().split(/\n\s*\n/).map(t=>h(t))}
function T(e){let t=e.trim().split(/\n+/);return p("h1",{tabIndex:-1},...t[1]?t.map(n=>p("span",{},n)):t)}
var _r=500,
Kr=-_r;
function ti({detail:e=0,pointerType:t,timeStamp:n=0}={}){let r=t==="touch",o=r&&n-Kr<_r;return r&&(Kr=n),o||e>1}
function y(e,t,n=""){let r=p("button",{type:"button",className:n},e);return r.addEventListener("click",o=>ti(o)||t()),r}
var A=(...e)=>p("div",{className:"buttons"},...e);
function B(e,...t){return p("details",{},p("summary",{},e),...t)}
function F(e,t,...n){return p(e,{className:t,translate:!1,spellcheck:!1},...n)}
var I=e=>document.getElementById(e);
