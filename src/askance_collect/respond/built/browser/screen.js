var Je=(e,t)=>({...e,render:n=>t(e.render(n),n)}),
G=(e,t)=>Object.assign(Object.create(e),t),
Hn=e=>Array.from(e.querySelectorAll("input, textarea")),
Pn=({type:e})=>e==="text"||e==="textarea",
Xr=e=>Hn(e).map(({type:t,value:n,checked:r})=>({type:t,value:n,checked:r})),
Yr=e=>Hn(e).some(t=>Pn(t)?t.value!=="":t.checked);
function qr(e,t){let n=Hn(e);n.length!==t.length||n.some(({type:r},o)=>r!==t[o].type)||(n.forEach((r,o)=>{Pn(r)?r.value=t[o].value:r.checked=t[o].checked}),n.filter(Pn).forEach(r=>r.dispatchEvent(new Event("input",{bubbles:!0}))))}
function Kt(e,t){let n=I("main"),r=!n.querySelector("h1");if(n.replaceChildren(...e),n.onkeydown=s=>{s.key==="Enter"&&!s.repeat&&["radio","text"].includes(s.target.type)&&n.querySelector("button.main")?.click()},!t)return;let o=()=>{window.scrollTo(0,0),n.querySelector("[tabindex]")?.focus({preventScroll:!0})};r?requestAnimationFrame(o):o()}
