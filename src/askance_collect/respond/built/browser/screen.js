var ze=(e,t)=>({...e,render:n=>t(e.render(n),n)}),
ee=(e,t)=>Object.assign(Object.create(e),t),
Ln=e=>Array.from(e.querySelectorAll("input, textarea")),
In=({type:e})=>e==="text"||e==="textarea",
Wr=e=>Ln(e).map(({type:t,value:n,checked:r})=>({type:t,value:n,checked:r})),
Kr=e=>Ln(e).some(t=>In(t)?t.value!=="":t.checked);
function _r(e,t){let n=Ln(e);n.length!==t.length||n.some(({type:r},o)=>r!==t[o].type)||(n.forEach((r,o)=>{In(r)?r.value=t[o].value:r.checked=t[o].checked}),n.filter(In).forEach(r=>r.dispatchEvent(new Event("input",{bubbles:!0}))))}
function Wt(e,t){let n=T("main"),r=!n.querySelector("h1");if(n.replaceChildren(...e),n.onkeydown=s=>{s.key==="Enter"&&!s.repeat&&["radio","text"].includes(s.target.type)&&n.querySelector("button.main")?.click()},!t)return;let o=()=>{window.scrollTo(0,0),n.querySelector("[tabindex]")?.focus({preventScroll:!0})};r?requestAnimationFrame(o):o()}
