function be(e){let t=m("input",{type:"radio",name:"answer",autocomplete:"off"});return t.checked=e,t}
function X(e,t,n=""){let r=n?m("small",{},n):"";return t&&m("label",{className:"option"},e,m("span",{},t,r))}
function F(){let e=m("p",{className:"complaint",id:"complaint"});return e.setAttribute("role","alert"),e}
function $e(e,t){e.oninput=()=>On(e,t)}
function On(e,t){t.textContent="";for(let n of[e,...e.querySelectorAll("[aria-invalid]")])n.removeAttribute("aria-invalid")}
function D(e,t,n){let r=n.matches("[type=radio]")?n.closest("fieldset")??n:n,o=new Set(r.getAttribute("aria-describedby")?.split(" ")).add(e.id);return e.textContent=t,r.setAttribute("aria-describedby",[...o].join(" ")),r.setAttribute("aria-errormessage",e.id),r.setAttribute("aria-invalid","true"),n.focus(),Object.assign(new Error(t),{name:"Complaint"})}
var Ft="asked",
We=e=>Object.assign(e,{id:Ft});
function te(e,t,n="group"){let r=P("fieldset","answers",t,...e);return r.setAttribute("role",n),r.setAttribute("aria-labelledby",Ft),r.setAttribute("aria-describedby",t.id),$e(r,t),r}
