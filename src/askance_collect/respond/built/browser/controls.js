function ye(e){let t=p("input",{type:"radio",name:"answer",autocomplete:"off"});return t.checked=e,t}
function X(e,t,n=""){let r=n?p("small",{},n):"";return t&&p("label",{className:"option"},e,p("span",{},t,r))}
function M(){let e=p("p",{className:"complaint",id:"complaint"});return e.setAttribute("role","alert"),e}
function Ce(e,t){e.oninput=()=>En(e,t)}
function En(e,t){t.textContent="";for(let n of[e,...e.querySelectorAll("[aria-invalid]")])n.removeAttribute("aria-invalid")}
function D(e,t,n){let r=n.matches("[type=radio]")?n.closest("fieldset")??n:n,o=new Set(r.getAttribute("aria-describedby")?.split(" ")).add(e.id);return e.textContent=t,r.setAttribute("aria-describedby",[...o].join(" ")),r.setAttribute("aria-errormessage",e.id),r.setAttribute("aria-invalid","true"),n.focus(),Object.assign(new Error(t),{name:"Complaint"})}
var Mt="asked",
We=e=>Object.assign(e,{id:Mt});
function ne(e,t,n="group"){let r=F("fieldset","answers",t,...e);return r.setAttribute("role",n),r.setAttribute("aria-labelledby",Mt),r.setAttribute("aria-describedby",t.id),Ce(r,t),r}
