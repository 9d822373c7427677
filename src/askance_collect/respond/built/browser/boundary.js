function Er(e){let{state:t,draft:n,speech:{words:r}}=e,o=t.step>0&&!n.isBound()?[b(r.back,e.back)]:[];return[E(r.broken),h(r.brokenHint),O(...o,b(r.tryAgain,()=>e.show(),"main"))]}
function Fs(e){if(e.state.ending||!e.speech)return;let{words:t}=e.speech;L("fault")?.remove();let n=Object.assign(H(),{id:"fault",textContent:`${t.broken}. ${t.brokenHint}`});L("main").prepend(n),n.scrollIntoView({block:"center"})}
function Tr(e,t){for(let n of["error","unhandledrejection"])window.addEventListener(n,()=>Fs(e),t)}
function Dr(e){let{state:t,draft:n,speech:{words:r}}=e,o=t.step>0&&!n.isBound()?[w(r.back,e.back)]:[];return[O(r.broken),m(r.brokenHint),x(...o,w(r.tryAgain,()=>e.show(),"main"))]}
function ri(e){if(e.state.ending||!e.speech)return;let{words:t}=e.speech;N("fault")?.remove();let n=Object.assign(P(),{id:"fault",textContent:`${t.broken}. ${t.brokenHint}`});N("main").prepend(n),n.scrollIntoView({block:"center"})}
function Fr(e,t){for(let n of["error","unhandledrejection"])window.addEventListener(n,()=>ri(e),t)}
