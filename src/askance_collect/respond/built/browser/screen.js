var Je=(e,t)=>({...e,render:n=>t(e.render(n),n)}),
K=(e,t)=>Object.assign(Object.create(e),t),
vn=e=>Array.from(e.querySelectorAll("input, textarea")),
Bn=({type:e})=>e==="text"||e==="textarea",
qr=e=>vn(e).map(({type:t,value:n,checked:r})=>({type:t,value:n,checked:r})),
eo=e=>vn(e).some(t=>Bn(t)?t.value!=="":t.checked);
function to(e,t){let n=vn(e);n.length!==t.length||n.some(({type:r},o)=>r!==t[o].type)||(n.forEach((r,o)=>{Bn(r)?r.value=t[o].value:r.checked=t[o].checked}),n.filter(Bn).forEach(r=>r.dispatchEvent(new Event("input",{bubbles:!0}))))}
function Kt(e,t){let n=I("main"),r=!n.querySelector("h1");if(n.replaceChildren(...e),n.onkeydown=s=>{s.key==="Enter"&&!s.repeat&&["radio","text"].includes(s.target.type)&&n.querySelector("button.main")?.click()},!t)return;let o=()=>{window.scrollTo(0,0),n.querySelector("[tabindex]")?.focus({preventScroll:!0})};r?requestAnimationFrame(o):o()}
