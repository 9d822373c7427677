var he=(e,t)=>({...e,render:n=>t(e.render(n),n)}),
Ue=(e,t)=>Object.assign(Object.create(e),t),
yn=e=>Array.from(e.querySelectorAll("input, textarea")),
kn=({type:e})=>e==="text"||e==="textarea",
Lr=e=>yn(e).map(({type:t,value:n,checked:r})=>({type:t,value:n,checked:r})),
Ir=e=>yn(e).some(t=>kn(t)?t.value!=="":t.checked);
function Nr(e,t){let n=yn(e);n.length!==t.length||n.some(({type:r},o)=>r!==t[o].type)||(n.forEach((r,o)=>{kn(r)?r.value=t[o].value:r.checked=t[o].checked}),n.filter(kn).forEach(r=>r.dispatchEvent(new Event("input",{bubbles:!0}))))}
function Bt(e,t){let n=L("main"),r=!n.querySelector("h1");if(n.replaceChildren(...e),n.onkeydown=s=>{s.key==="Enter"&&["radio","text"].includes(s.target.type)&&n.querySelector("button.main")?.click()},!t)return;let o=()=>{window.scrollTo(0,0),n.querySelector("h1")?.focus({preventScroll:!0})};r?requestAnimationFrame(o):o()}
var Ke=(e,t)=>({...e,render:n=>t(e.render(n),n)}),
_e=(e,t)=>Object.assign(Object.create(e),t),
In=e=>Array.from(e.querySelectorAll("input, textarea")),
Cn=({type:e})=>e==="text"||e==="textarea",
Kr=e=>In(e).map(({type:t,value:n,checked:r})=>({type:t,value:n,checked:r})),
_r=e=>In(e).some(t=>Cn(t)?t.value!=="":t.checked);
function Gr(e,t){let n=In(e);n.length!==t.length||n.some(({type:r},o)=>r!==t[o].type)||(n.forEach((r,o)=>{Cn(r)?r.value=t[o].value:r.checked=t[o].checked}),n.filter(Cn).forEach(r=>r.dispatchEvent(new Event("input",{bubbles:!0}))))}
function Wt(e,t){let n=N("main"),r=!n.querySelector("h1");if(n.replaceChildren(...e),n.onkeydown=s=>{s.key==="Enter"&&["radio","text"].includes(s.target.type)&&n.querySelector("button.main")?.click()},!t)return;let o=()=>{window.scrollTo(0,0),n.querySelector("h1")?.focus({preventScroll:!0})};r?requestAnimationFrame(o):o()}
