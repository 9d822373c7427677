function radio(e){const t=element("input",{type:"radio",name:"answer",autocomplete:"off"});return t.checked=e,t}
function option(e,t,n=""){const o=n?element("small",{},n):"";return t&&element("label",{className:"option"},e,element("span",{},t,o))}
function complaintLine(){const e=element("p",{className:"complaint",id:"complaint"});return e.setAttribute("role","alert"),e}
function clearOnInput(e,t){e.oninput=()=>{t.textContent=""}}
function showComplaint(e,t,n){return e.textContent=t,n.focus(),Object.assign(new Error(t),{name:"Complaint"})}
function group(e,t,n,o){const a=privateElement("fieldset","answers",o,...n);return a.prepend(element("legend",{className:"unseen"},t.text(e.text))),a.setAttribute("aria-describedby","complaint"),clearOnInput(a,o),a}
