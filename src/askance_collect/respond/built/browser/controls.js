function he(e){let t=m("input",{type:"radio",name:"answer",autocomplete:"off"});return t.checked=e,t}
function J(e,t,n=""){let r=n?m("small",{},n):"";return t&&m("label",{className:"option"},e,m("span",{},t,r))}
function D(){let e=m("p",{className:"complaint",id:"complaint"});return e.setAttribute("role","alert"),e}
function Le(e,t){e.oninput=()=>bn(e,t)}
function bn(e,t){t.textContent="";for(let n of[e,...e.querySelectorAll("[aria-invalid]")])n.removeAttribute("aria-invalid")}
function F(e,t,n){let r=n.matches("[type=radio]")?n.closest("fieldset")??n:n,o=new Set(r.getAttribute("aria-describedby")?.split(" ")).add(e.id);return e.textContent=t,r.setAttribute("aria-describedby",[...o].join(" ")),r.setAttribute("aria-errormessage",e.id),r.setAttribute("aria-invalid","true"),n.focus(),Object.assign(new Error(t),{name:"Complaint"})}
var Ht="asked",
Me=e=>Object.assign(e,{id:Ht});
function q(e,t,n="group"){let r=P("fieldset","answers",t,...e);return r.setAttribute("role",n),r.setAttribute("aria-labelledby",Ht),r.setAttribute("aria-describedby",t.id),Le(r,t),r}
