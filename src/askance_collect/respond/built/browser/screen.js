var Ge=(e,t)=>({...e,render:n=>t(e.render(n),n)}),
q=(e,t)=>Object.assign(Object.create(e),t),
Ln=e=>Array.from(e.querySelectorAll("input, textarea")),
In=({type:e})=>e==="text"||e==="textarea",
Ur=e=>Ln(e).map(({type:t,value:n,checked:r})=>({type:t,value:n,checked:r})),
Wr=e=>Ln(e).some(t=>In(t)?t.value!=="":t.checked);
function Kr(e,t){let n=Ln(e);n.length!==t.length||n.some(({type:r},o)=>r!==t[o].type)||(n.forEach((r,o)=>{In(r)?r.value=t[o].value:r.checked=t[o].checked}),n.filter(In).forEach(r=>r.dispatchEvent(new Event("input",{bubbles:!0}))))}
function Wt(e,t){let n=N("main"),r=!n.querySelector("h1");if(n.replaceChildren(...e),n.onkeydown=s=>{s.key==="Enter"&&!s.repeat&&["radio","text"].includes(s.target.type)&&n.querySelector("button.main")?.click()},!t)return;let o=()=>{window.scrollTo(0,0),n.querySelector("[tabindex]")?.focus({preventScroll:!0})};r?requestAnimationFrame(o):o()}
Nn=e=>Array.from(e.querySelectorAll("input, textarea")),
Tn=({type:e})=>e==="text"||e==="textarea",
Mr=e=>Nn(e).map(({type:t,value:n,checked:r})=>({type:t,value:n,checked:r})),
Wr=e=>Nn(e).some(t=>Tn(t)?t.value!=="":t.checked);
function Kr(e,t){let n=Nn(e);n.length!==t.length||n.some(({type:r},o)=>r!==t[o].type)||(n.forEach((r,o)=>{Tn(r)?r.value=t[o].value:r.checked=t[o].checked}),n.filter(Tn).forEach(r=>r.dispatchEvent(new Event("input",{bubbles:!0}))))}
function Ut(e,t){let n=T("main"),r=!n.querySelector("h1");if(n.replaceChildren(...e),n.onkeydown=s=>{s.key==="Enter"&&!s.repeat&&["radio","text"].includes(s.target.type)&&n.querySelector("button.main")?.click()},!t)return;let o=()=>{window.scrollTo(0,0),n.querySelector("h1")?.focus({preventScroll:!0})};r?requestAnimationFrame(o):o()}
