var changeScreen=(e,r)=>({...e,render:t=>r(e.render(t),t)}),
derive=(e,r)=>Object.assign(Object.create(e),r),
controlsIn=e=>Array.from(e.querySelectorAll("input, textarea")),
isTyped=({type:e})=>e==="text"||e==="textarea",
readInput=e=>controlsIn(e).map(({type:r,value:t,checked:n})=>({type:r,value:t,checked:n})),
hasInput=e=>controlsIn(e).some(r=>isTyped(r)?r.value!=="":r.checked);
function writeInput(e,r){const t=controlsIn(e);t.length!==r.length||t.some(({type:n},a)=>n!==r[a].type)||(t.forEach((n,a)=>{isTyped(n)?n.value=r[a].value:n.checked=r[a].checked}),t.filter(isTyped).forEach(n=>n.dispatchEvent(new Event("input",{bubbles:!0}))))}
function showNodes(e,r){const t=partOf("main"),n=!t.querySelector("h1");if(t.replaceChildren(...e),t.onkeydown=c=>{c.key==="Enter"&&["radio","text"].includes(c.target.type)&&t.querySelector("button.main")?.click()},!r)return;const a=()=>{window.scrollTo(0,0),t.querySelector("h1")?.focus({preventScroll:!0})};n?requestAnimationFrame(a):a()}
