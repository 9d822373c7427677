function ue(e){let t=m("input",{type:"radio",name:"answer",autocomplete:"off"});return t.checked=e,t}
function Z(e,t,n=""){let r=n?m("small",{},n):"";return t&&m("label",{className:"option"},e,m("span",{},t,r))}
function H(){let e=m("p",{className:"complaint",id:"complaint"});return e.setAttribute("role","alert"),e}
function Se(e,t){e.oninput=()=>{t.textContent=""}}
function W(e,t,n){return e.textContent=t,n.focus(),Object.assign(new Error(t),{name:"Complaint"})}
function q(e,t,n,r){let o=B("fieldset","answers",r,...n);return o.prepend(m("legend",{className:"unseen"},t.text(e.text))),o.setAttribute("aria-describedby","complaint"),Se(o,r),o}
function fe(e){let t=p("input",{type:"radio",name:"answer",autocomplete:"off"});return t.checked=e,t}
function Q(e,t,n=""){let r=n?p("small",{},n):"";return t&&p("label",{className:"option"},e,p("span",{},t,r))}
function P(){let e=p("p",{className:"complaint",id:"complaint"});return e.setAttribute("role","alert"),e}
function Ae(e,t){e.oninput=()=>{t.textContent=""}}
function U(e,t,n){return e.textContent=t,n.focus(),Object.assign(new Error(t),{name:"Complaint"})}
function q(e,t,n,r){let o=H("fieldset","answers",r,...n);return o.prepend(p("legend",{className:"unseen"},t.text(e.text))),o.setAttribute("aria-describedby","complaint"),Ae(o,r),o}
