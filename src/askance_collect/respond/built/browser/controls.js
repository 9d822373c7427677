function me(e){let t=p("input",{type:"radio",name:"answer",autocomplete:"off"});return t.checked=e,t}
function J(e,t,n=""){let r=n?p("small",{},n):"";return t&&p("label",{className:"option"},e,p("span",{},t,r))}
function P(){let e=p("p",{className:"complaint",id:"complaint"});return e.setAttribute("role","alert"),e}
function Te(e,t){e.oninput=()=>{t.textContent=""}}
function U(e,t,n){return e.textContent=t,n.focus(),Object.assign(new Error(t),{name:"Complaint"})}
function q(e,t,n,r){let o=H("fieldset","answers",r,...n);return o.prepend(p("legend",{className:"unseen"},t.text(e.text))),o.setAttribute("aria-describedby","complaint"),Te(o,r),o}
