function Yt(e){let t=r=>r.split("-")[0];return navigator.languages.map(r=>e.find(o=>t(o)===t(r))).find(Boolean)??e[0]}
function qt(e){let t=Fe(e);return Object.assign(document.documentElement,{lang:e,dir:t.direction}),t}
function $o(e){let{form:t,speech:n,leave:r,chooseLanguage:o}=e,s=T("bar"),i=s.querySelector("select")??Ba(t.languages);for(let a of[...s.children])a!==i&&a.remove();t.languages.length>1&&!i.isConnected&&s.append(i),i.setAttribute("aria-label",n.words.language),i.value=n.language,i.onchange=()=>o(i.value),s.append(b(n.words.leave,r,"leave")),ja(e),x.renderHeader(s,e)}
function Co({form:e,speech:t,state:n,steps:r},o){let s=t.text(e.title);return!n.aside&&!n.ending&&(n.step===0||e.skips&&n.step<r.length-1)?s:`${(T("step")??o.querySelector("h1"))?.innerText} – ${s}`}
function ja({form:e,speech:t}){let n=T("contact"),r=t.text(e.contact).trim();n.className="",n.replaceChildren(...r?[v(t.words.contact,...G(r))]:[])}
function Ro({step:e,ending:t}){T("contact").querySelector("details")?.toggleAttribute("open",e===0||t!==void 0)}
function Ba(e){let t=e.map(n=>m("option",{value:n,lang:n},at[n]??new Intl.DisplayNames([n],{type:"language"}).of(n)));return m("select",{autocomplete:"off"},...t)}
