function tn(e){let t=r=>r.split("-")[0];return navigator.languages.map(r=>e.find(o=>t(o)===t(r))).find(Boolean)??e[0]}
function nn(e){let t=Ue(e);return Object.assign(document.documentElement,{lang:e,dir:t.direction}),t}
function vo(e){let{form:t,speech:n,leave:r,chooseLanguage:o}=e,s=L("bar"),i=s.querySelector("select")??Ga(t.languages);for(let a of[...s.children])a!==i&&a.remove();t.languages.length>1&&!i.isConnected&&s.append(i),i.setAttribute("aria-label",n.words.language),i.value=n.language,i.onchange=()=>o(i.value),s.append(y(n.words.leave,r,"leave")),_a(e),x.renderHeader(s,e)}
function jo({form:e,speech:t,state:n,steps:r},o){let s=t.text(e.title);return!n.aside&&!n.ending&&(n.step===0||e.skips&&n.step<r.length-1)?s:`${(L("step")??o.querySelector("h1"))?.innerText} – ${s}`}
function _a({form:e,speech:t}){let n=L("contact"),r=t.text(e.contact).trim();n.className="",n.replaceChildren(...r?[v(t.words.contact,...z(r))]:[])}
function Bo({step:e,ending:t}){L("contact").querySelector("details")?.toggleAttribute("open",e===0||t!==void 0)}
function Ga(e){let t=e.map(n=>p("option",{value:n,lang:n},at[n]??new Intl.DisplayNames([n],{type:"language"}).of(n)));return p("select",{autocomplete:"off"},...t)}
