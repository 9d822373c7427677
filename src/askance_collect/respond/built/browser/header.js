function Ft(e){let t=r=>r.split("-")[0];return navigator.languages.map(r=>e.find(o=>t(o)===t(r))).find(Boolean)??e[0]}
function Wt(e){let t=je(e);return Object.assign(document.documentElement,{lang:e,dir:t.direction}),t}
function to(e){let{form:t,speech:n,leave:r,chooseLanguage:o}=e;document.title=n.text(t.title);let s=L("bar"),i=s.querySelector("select")??na(t.languages);for(let a of[...s.children])a!==i&&a.remove();t.languages.length>1&&!i.isConnected&&s.append(i),i.setAttribute("aria-label",n.words.language),i.value=n.language,i.onchange=()=>o(i.value),s.append(b(n.words.leave,r,"leave")),ta(e),x.renderHeader(s,e)}
function ta({form:e,speech:t}){let n=L("contact"),r=t.text(e.contact).trim();n.className="",n.replaceChildren(...r?[m("h2",{},t.words.contact),...z(r)]:[])}
function na(e){let t=e.map(n=>m("option",{value:n,lang:n},Ye[n]??new Intl.DisplayNames([n],{type:"language"}).of(n)));return m("select",{autocomplete:"off"},...t)}
function Jt(e){let t=r=>r.split("-")[0];return navigator.languages.map(r=>e.find(o=>t(o)===t(r))).find(Boolean)??e[0]}
function Zt(e){let t=ve(e);return Object.assign(document.documentElement,{lang:e,dir:t.direction}),t}
function mo(e){let{form:t,speech:n,leave:r,chooseLanguage:o}=e;document.title=n.text(t.title);let s=N("bar"),i=s.querySelector("select")??fa(t.languages);for(let a of[...s.children])a!==i&&a.remove();t.languages.length>1&&!i.isConnected&&s.append(i),i.setAttribute("aria-label",n.words.language),i.value=n.language,i.onchange=()=>o(i.value),s.append(w(n.words.leave,r,"leave")),ua(e),k.renderHeader(s,e)}
function ua({form:e,speech:t}){let n=N("contact"),r=t.text(e.contact).trim();n.className="",n.replaceChildren(...r?[p("h2",{},t.words.contact),...Y(r)]:[])}
function fa(e){let t=e.map(n=>p("option",{value:n,lang:n},rt[n]??new Intl.DisplayNames([n],{type:"language"}).of(n)));return p("select",{autocomplete:"off"},...t)}
