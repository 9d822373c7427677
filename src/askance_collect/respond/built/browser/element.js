function m(e,t={},...n){let r=document.createElement(e);return Object.assign(r,t),r.append(...n.flat().filter(o=>o!=="")),r}
var h=(e,t="")=>m("p",{className:t},e);
function V(e){return e.trim().split(/\n\s*\n/).map(t=>h(t))}
function E(e){let t=e.trim().split(/\n+/);return m("h1",{tabIndex:-1},...t[1]?t.map(n=>m("span",{},n)):t)}
var _r=500,
Kr=-_r;
function Zs({detail:e=0,pointerType:t,timeStamp:n=0}={}){let r=t==="touch",o=r&&n-Kr<_r;return r&&(Kr=n),o||e>1}
function y(e,t,n=""){let r=m("button",{type:"button",className:n},e);return r.addEventListener("click",o=>Zs(o)||t()),r}
var S=(...e)=>m("div",{className:"buttons"},...e);
function j(e,...t){return m("details",{},m("summary",{},e),...t)}
function P(e,t,...n){return m(e,{className:t,translate:!1,spellcheck:!1},...n)}
var L=e=>document.getElementById(e);
