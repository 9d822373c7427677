var Li={...we,limit:[1,2e3],lines:[1,20],"beside?":!0},
Ii=6,
Ci=/^[^ \n](.*[^ \n])?$/s;
function $i({questions:e}){e.forEach(({beside:t},n)=>{let r=e[n-1],o=r?.kind==="number"||r?.kind==="choice"&&r.coin===void 0;w(!t||o,`questions[${n}].beside`)})}
function ro({lines:e},t){let n=t.replace(/\r\n?/g,`
`).replace(e>1?/\t/g:/[\t\n]/g," ");return Array.from(n).filter(ie).join("").replace(/^[ \n]+|[ \n]+$/g,"")}
function Pn(e,t,n,r,o){let{words:s,number:i}=n,{limit:a,lines:c}=e,d=c>1?P("textarea","number words"):P("input","number words");Object.assign(d,{id:o,autocomplete:"off",dir:"auto",value:t?.index??"",...c>1?{rows:c}:{type:"text"}});let u=p("p",{className:"hint",id:`${o}-room`}),l=()=>a-ro(e,d.value).length,f=()=>{u.textContent=l()<0?s.textOver(i(-l())):s.textLeft(i(l()))};d.addEventListener("input",f),f(),d.setAttribute("aria-describedby",`${o}-hint ${u.id}`);let m=e.needed?"":`${s.ownEmpty} `,g=p("p",{className:"hint",id:`${o}-hint`},m+s.ownHint),y=T=>{let R=ro(e,d.value);if(l()<0)throw D(T,u.textContent,d);if(e.needed&&!R)throw D(T,s.needed,d);return{index:R||null}};return{nodes:[p("label",{htmlFor:o},r),g,d,u],read:y}}
function Ri(e,t,n,r){let{nodes:o,read:s}=Pn(e,n,r,r.words.ownWords,"words"),i=F();return{node:Y(o,i),read:()=>s(i)}}
O.text={maxLength:({limit:e})=>2+Ii*e,isValid({limit:e,lines:t},n){let r=t>1?/[\t\r]/:/[\t\r\n]/;return ie(n)&&Ci.test(n)&&n.length<=e&&!r.test(n)},encode(e,t){if(O.text.isValid(e,t))return t;throw new RangeError(`answers.${e.name}: allowed: 1 to ${e.limit} characters`)},label:(e,t,{language:n,inside:r})=>r({[n]:t})},M.text=[Li],L.text=Ri,k({name:"texts",detect:({questions:e})=>e.some(({kind:t})=>t==="text"),validate:$i});
var Ei={...be,limit:[1,2e3],lines:[1,20],"beside?":!0},
Ni=6,
Ti=/^[^ \n](.*[^ \n])?$/s;
function Li({questions:e}){e.forEach(({beside:t},n)=>{let r=e[n-1],o=r?.kind==="number"||r?.kind==="choice"&&r.coin===void 0;b(!t||o,`questions[${n}].beside`)})}
function ro({lines:e},t){let n=t.replace(/\r\n?/g,`
`).replace(e>1?/\t/g:/[\t\n]/g," ");return Array.from(n).filter(ie).join("").replace(/^[ \n]+|[ \n]+$/g,"")}
function Bn(e,t,n,r,o){let{words:s,number:i}=n,{limit:a,lines:c}=e,d=c>1?H("textarea","number words"):H("input","number words");Object.assign(d,{id:o,autocomplete:"off",dir:"auto",value:t?.index??"",...c>1?{rows:c}:{type:"text"}});let u=m("p",{className:"hint",id:`${o}-room`}),l=()=>a-ro(e,d.value).length,f=()=>{u.textContent=l()<0?s.textOver(i(-l())):s.textLeft(i(l()))};d.addEventListener("input",f),f(),d.setAttribute("aria-describedby",`${o}-hint ${u.id}`);let p=e.needed?"":`${s.ownEmpty} `,g=m("p",{className:"hint",id:`${o}-hint`},p+s.ownHint),k=I=>{let R=ro(e,d.value);if(l()<0)throw D(I,u.textContent,d);if(e.needed&&!R)throw D(I,s.needed,d);return{index:R||null}};return{nodes:[m("label",{htmlFor:o},r),g,d,u],read:k}}
function Ii(e,t,n,r){let{nodes:o,read:s}=Bn(e,n,r,r.words.ownWords,"words"),i=P();return{node:Y(o,i),read:()=>s(i)}}
A.text={maxLength:({limit:e})=>2+Ni*e,isValid({limit:e,lines:t},n){let r=t>1?/[\t\r]/:/[\t\r\n]/;return ie(n)&&Ti.test(n)&&n.length<=e&&!r.test(n)},encode(e,t){if(A.text.isValid(e,t))return t;throw new RangeError(`answers.${e.name}: allowed: 1 to ${e.limit} characters`)},label:(e,t,{language:n,inside:r})=>r({[n]:t})},U.text=[Ei],L.text=Ii,y({name:"texts",detect:({questions:e})=>e.some(({kind:t})=>t==="text"),validate:Li});
