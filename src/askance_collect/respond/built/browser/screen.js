var Pe=(e,t)=>({...e,render:n=>t(e.render(n),n)}),
Me=(e,t)=>Object.assign(Object.create(e),t),
hn=e=>Array.from(e.querySelectorAll("input, textarea")),
gn=({type:e})=>e==="text"||e==="textarea",
Ar=e=>hn(e).map(({type:t,value:n,checked:r})=>({type:t,value:n,checked:r})),
Er=e=>hn(e).some(t=>gn(t)?t.value!=="":t.checked);
function Tr(e,t){let n=hn(e);n.length!==t.length||n.some(({type:r},o)=>r!==t[o].type)||(n.forEach((r,o)=>{gn(r)?r.value=t[o].value:r.checked=t[o].checked}),n.filter(gn).forEach(r=>r.dispatchEvent(new Event("input",{bubbles:!0}))))}
function vt(e,t){let n=L("main"),r=!n.querySelector("h1");if(n.replaceChildren(...e),n.onkeydown=s=>{s.key==="Enter"&&["radio","text"].includes(s.target.type)&&n.querySelector("button.main")?.click()},!t)return;let o=()=>{window.scrollTo(0,0),n.querySelector("h1")?.focus({preventScroll:!0})};r?requestAnimationFrame(o):o()}
