function co(e){let{state:t,draft:n,speech:{words:r}}=e,o=t.step>0&&!n.isBound()?[y(r.back,e.back)]:[];return[E(r.broken),h(r.brokenHint),S(...o,y(r.tryAgain,()=>e.show(),"main"))]}
function Un(e){if(e.state.ending||!e.speech)return;let{words:t}=e.speech;L("fault")?.remove();let n=Object.assign(F(),{id:"fault",textContent:`${t.broken}. ${t.brokenHint}`});L("main").prepend(n),n.scrollIntoView({block:"center"})}
function lo(e,t){for(let n of["error","unhandledrejection"])window.addEventListener(n,()=>Un(e),t)}
