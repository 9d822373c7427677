function nn(e){let t=r=>r.split("-")[0];return navigator.languages.map(r=>e.find(o=>t(o)===t(r))).find(Boolean)??e[0]}
function rn(e){let t=Ue(e);return Object.assign(document.documentElement,{lang:e,dir:t.direction}),t}
function Do(e){let{form:t,speech:n,leave:r,chooseLanguage:o}=e,s=L("bar"),i=s.querySelector("select")??tc(t.languages);for(let a of[...s.children])a!==i&&a.remove();t.languages.length>1&&!i.isConnected&&s.append(i),i.setAttribute("aria-label",n.words.language),i.value=n.language,i.onchange=()=>o(i.value),s.append(y(n.words.leave,r,"leave")),ec(e),x.renderHeader(s,e)}
function Uo({form:e,speech:t,state:n,steps:r},o){let s=t.text(e.title);return!n.aside&&!n.ending&&(n.step===0||e.skips&&n.step<r.length-1)?s:`${(L("step")??o.querySelector("h1"))?.innerText} – ${s}`}
function ec({form:e,speech:t}){let n=L("contact"),r=t.text(e.contact).trim();n.className="",n.replaceChildren(...r?[j(t.words.contact,...V(r))]:[])}
function Wo({step:e,ending:t}){L("contact").querySelector("details")?.toggleAttribute("open",e===0||t!==void 0)}
function tc(e){let t=e.map(n=>m("option",{value:n,lang:n},ct[n]??new Intl.DisplayNames([n],{type:"language"}).of(n)));return m("select",{autocomplete:"off"},...t)}
