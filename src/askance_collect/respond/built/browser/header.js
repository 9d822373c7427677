function Zt(e){let t=r=>r.split("-")[0];return navigator.languages.map(r=>e.find(o=>t(o)===t(r))).find(Boolean)??e[0]}
function Xt(e){let t=Pe(e);return Object.assign(document.documentElement,{lang:e,dir:t.direction}),t}
function yo(e){let{form:t,speech:n,leave:r,chooseLanguage:o}=e;document.title=n.text(t.title);let s=N("bar"),i=s.querySelector("select")??Sa(t.languages);for(let a of[...s.children])a!==i&&a.remove();t.languages.length>1&&!i.isConnected&&s.append(i),i.setAttribute("aria-label",n.words.language),i.value=n.language,i.onchange=()=>o(i.value),s.append(w(n.words.leave,r,"leave")),xa(e),x.renderHeader(s,e)}
function xa({form:e,speech:t}){let n=N("contact"),r=t.text(e.contact).trim();n.className="",n.replaceChildren(...r?[p("h2",{},t.words.contact),...G(r)]:[])}
function Sa(e){let t=e.map(n=>p("option",{value:n,lang:n},rt[n]??new Intl.DisplayNames([n],{type:"language"}).of(n)));return p("select",{autocomplete:"off"},...t)}
