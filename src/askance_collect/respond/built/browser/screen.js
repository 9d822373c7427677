var changeScreen=(e,t)=>({...e,render:r=>t(e.render(r),r)}),
derive=(e,t)=>Object.assign(Object.create(e),t),
controlsIn=e=>[...e.querySelectorAll("input, textarea")],
isTyped=({type:e})=>e==="text"||e==="textarea",
readInput=e=>controlsIn(e).map(({type:t,value:r,checked:n})=>({type:t,value:r,checked:n})),
hasInput=e=>controlsIn(e).some(t=>isTyped(t)?t.value!=="":t.checked);
function writeInput(e,t){const r=controlsIn(e);r.length!==t.length||r.some(({type:n},c)=>n!==t[c].type)||(r.forEach((n,c)=>{isTyped(n)?n.value=t[c].value:n.checked=t[c].checked}),r.filter(isTyped).forEach(n=>n.dispatchEvent(new Event("input",{bubbles:!0}))))}
function showNodes(e,t){const r=document.getElementById("main"),n=!r.querySelector("h1");if(r.replaceChildren(...e),r.onkeydown=a=>{a.key==="Enter"&&["radio","text"].includes(a.target.type)&&r.querySelector("button.main")?.click()},!t)return;const c=()=>{window.scrollTo(0,0),r.querySelector("h1")?.focus({preventScroll:!0})};n?requestAnimationFrame(c):c()}
