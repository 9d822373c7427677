function qr(e){let{state:t,draft:n,speech:{words:r}}=e,o=t.step>0&&!n.isBound()?[b(r.back,e.back)]:[];return[A(r.broken),h(r.brokenHint),S(...o,b(r.tryAgain,()=>e.show(),"main"))]}
function Hn(e){if(e.state.ending||!e.speech)return;let{words:t}=e.speech;T("fault")?.remove();let n=Object.assign(D(),{id:"fault",textContent:`${t.broken}. ${t.brokenHint}`});T("main").prepend(n),n.scrollIntoView({block:"center"})}
function eo(e,t){for(let n of["error","unhandledrejection"])window.addEventListener(n,()=>Hn(e),t)}
