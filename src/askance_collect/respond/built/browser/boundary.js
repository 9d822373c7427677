function co(e){let{state:t,draft:n,speech:{words:r}}=e,o=t.step>0&&!n.isBound()?[y(r.back,e.back)]:[];return[T(r.broken),h(r.brokenHint),A(...o,y(r.tryAgain,()=>e.show(),"main"))]}
function Kn(e){if(e.state.ending||!e.speech)return;let{words:t}=e.speech;I("fault")?.remove();let n=Object.assign(M(),{id:"fault",textContent:`${t.broken}. ${t.brokenHint}`});I("main").prepend(n),n.scrollIntoView({block:"center"})}
function lo(e,t){for(let n of["error","unhandledrejection"])window.addEventListener(n,()=>Kn(e),t)}
