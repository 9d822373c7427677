function element(t,n={},...e){const a=document.createElement(t);return Object.assign(a,n),a.append(...e.flat().filter(r=>r!=="")),a}
var paragraph=(t,n="")=>element("p",{className:n},t);
function paragraphs(t){return t.trim().split(/\n\s*\n/).map(n=>paragraph(n))}
function heading(t){const n=t.trim().split(/\n+/);return element("h1",{tabIndex:-1},...n[1]?n.map(e=>element("span",{},e)):n)}
function button(t,n,e=""){const a=element("button",{type:"button",className:e},t);return a.addEventListener("click",n),a}
var buttons=(...t)=>element("div",{className:"buttons"},...t);
function foldOut(t,...n){return element("details",{},element("summary",{},t),...n)}
function privateElement(t,n,...e){return element(t,{className:n,translate:!1,spellcheck:!1},...e)}
var partOf=t=>document.getElementById(t);
