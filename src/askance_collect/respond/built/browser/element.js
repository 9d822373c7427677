function m(e,t={},...n){let r=document.createElement(e);return Object.assign(r,t),r.append(...n.flat().filter(o=>o!=="")),r}
var h=(e,t="")=>m("p",{className:t},e);
function G(e){return e.trim().split(/\n\s*\n/).map(t=>h(t))}
function A(e){let t=e.trim().split(/\n+/);return m("h1",{tabIndex:-1},...t[1]?t.map(n=>m("span",{},n)):t)}
var jr=500,
Br=-jr;
function Ps({detail:e=0,pointerType:t,timeStamp:n=0}={}){let r=t==="touch",o=r&&n-Br<jr;return r&&(Br=n),o||e>1}
function b(e,t,n=""){let r=m("button",{type:"button",className:n},e);return r.addEventListener("click",o=>Ps(o)||t()),r}
var S=(...e)=>m("div",{className:"buttons"},...e);
function v(e,...t){return m("details",{},m("summary",{},e),...t)}
function P(e,t,...n){return m(e,{className:t,translate:!1,spellcheck:!1},...n)}
var T=e=>document.getElementById(e);
