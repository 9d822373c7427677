function m(e,t={},...n){let r=document.createElement(e);return Object.assign(r,t),r.append(...n.flat().filter(o=>o!=="")),r}
var h=(e,t="")=>m("p",{className:t},e);
function z(e){return e.trim().split(/\n\s*\n/).map(t=>h(t))}
function E(e){let t=e.trim().split(/\n+/);return m("h1",{tabIndex:-1},...t[1]?t.map(n=>m("span",{},n)):t)}
function b(e,t,n=""){let r=m("button",{type:"button",className:n},e);return r.addEventListener("click",t),r}
var O=(...e)=>m("div",{className:"buttons"},...e);
function U(e,...t){return m("details",{},m("summary",{},e),...t)}
function B(e,t,...n){return m(e,{className:t,translate:!1,spellcheck:!1},...n)}
var L=e=>document.getElementById(e);
function p(e,t={},...n){let r=document.createElement(e);return Object.assign(r,t),r.append(...n.flat().filter(o=>o!=="")),r}
var m=(e,t="")=>p("p",{className:t},e);
function Y(e){return e.trim().split(/\n\s*\n/).map(t=>m(t))}
function O(e){let t=e.trim().split(/\n+/);return p("h1",{tabIndex:-1},...t[1]?t.map(n=>p("span",{},n)):t)}
function w(e,t,n=""){let r=p("button",{type:"button",className:n},e);return r.addEventListener("click",t),r}
var x=(...e)=>p("div",{className:"buttons"},...e);
function D(e,...t){return p("details",{},p("summary",{},e),...t)}
function H(e,t,...n){return p(e,{className:t,translate:!1,spellcheck:!1},...n)}
var N=e=>document.getElementById(e);
