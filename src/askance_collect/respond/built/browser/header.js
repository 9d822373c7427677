function preferredLanguage(e){const n=a=>a.split("-")[0];return navigator.languages.map(a=>e.find(r=>n(r)===n(a))).find(Boolean)??e[0]}
function pageSpeech(e){const n=speak(e);return Object.assign(document.documentElement,{lang:e,dir:n.direction}),n}
function renderHeader(e){const{form:n,speech:t,leave:a,chooseLanguage:r}=e;document.title=t.text(n.title);const c=partOf("bar"),o=c.querySelector("select")??languagePicker(n.languages);for(const l of[...c.children])l!==o&&l.remove();n.languages.length>1&&!o.isConnected&&c.append(o),o.setAttribute("aria-label",t.words.language),o.value=t.language,o.onchange=()=>r(o.value),c.append(button(t.words.leave,a,"leave")),renderContact(e),hooks.renderHeader(c,e)}
function renderContact({form:e,speech:n}){const t=partOf("contact"),a=n.text(e.contact).trim();t.className="",t.replaceChildren(...a?[element("h2",{},n.words.contact),...paragraphs(a)]:[])}
function languagePicker(e){const n=e.map(t=>element("option",{value:t,lang:t},NAMES[t]??nameOf(t)));return element("select",{autocomplete:"off"},...n)}
function nameOf(e){return new Intl.DisplayNames([e],{type:"language"}).of(e)}
