function on(e){let t=r=>r.split("-")[0];return navigator.languages.map(r=>e.find(o=>t(o)===t(r))).find(Boolean)??e[0]}
function sn(e){let t=Ue(e);return Object.assign(document.documentElement,{lang:e,dir:t.direction}),t}
function _o(e){let{form:t,speech:n,leave:r,chooseLanguage:o}=e,s=I("bar"),i=s.querySelector("select")??cc(t.languages);for(let a of[...s.children])a!==i&&a.remove();t.languages.length>1&&!i.isConnected&&s.append(i),i.setAttribute("aria-label",n.words.language),i.value=n.language,i.onchange=()=>o(i.value),s.append(y(n.words.leave,r,"leave")),ac(e),x.renderHeader(s,e)}
function Ko({form:e,speech:t,state:n,steps:r},o){let s=t.text(e.title);return!n.aside&&!n.ending&&(n.step===0||e.skips&&n.step<r.length-1)?s:`${(I("step")??o.querySelector("h1"))?.innerText} – ${s}`}
function ac({form:e,speech:t}){let n=I("contact"),r=t.text(e.contact).trim();n.className="",n.replaceChildren(...r?[B(t.words.contact,...K(r))]:[])}
function Go({step:e,ending:t}){I("contact").querySelector("details")?.toggleAttribute("open",e===0||t!==void 0)}
function cc(e){let t=e.map(n=>p("option",{value:n,lang:n},lt[n]??new Intl.DisplayNames([n],{type:"language"}).of(n)));return p("select",{autocomplete:"off"},...t)}
