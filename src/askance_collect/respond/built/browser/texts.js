var Ki={...ne,limit:[1,2e3],lines:[1,20],"beside?":!0},
Gi=6,
zi=/^[^ \n](.*[^ \n])?$/s;
function Wn({questions:e}){e.forEach(({beside:t},n)=>{let r=e[n-1],o=r?.kind==="number"||r?.kind==="choice"&&r.coin===void 0;w(!t||o,`questions[${n}].beside`)})}
function mo({lines:e},t){let n=t.replace(/\r\n?/g,`
`).replace(e>1?/\t/g:/[\t\n]/g," ");return Array.from(n).filter(le).join("").replace(/^[ \n]+|[ \n]+$/g,"")}
function _n(e,t,n,r,o){let{words:s,number:i}=n,{limit:a,lines:c}=e,d=c>1?P("textarea","number words"):P("input","number words");Object.assign(d,{id:o,autocomplete:"off",dir:"auto",value:t?.index??"",...c>1?{rows:c}:{type:"text"}});let u=m("p",{className:"hint",id:`${o}-room`}),l=()=>a-mo(e,d.value).length,f=()=>{u.textContent=l()<0?s.textOver(i(-l())):s.textLeft(i(l()))};d.addEventListener("input",f),f(),d.setAttribute("aria-describedby",`${o}-hint ${u.id}`);let p=e.needed?"":`${s.ownEmpty} `,g=m("p",{className:"hint",id:`${o}-hint`},p+s.ownHint),k=T=>{let R=mo(e,d.value);if(l()<0)throw D(T,u.textContent,d);if(e.needed&&!R)throw D(T,s.needed,d);return{index:R||null}};return{nodes:[m("label",{htmlFor:o},r),g,d,u],read:k}}
function Vi(e,t,n,r){let{nodes:o,read:s}=_n(e,n,r,r.words.ownWords,"words"),i=F();return{node:te(o,i),read:()=>s(i)}}
O.text={maxLength:({limit:e})=>2+Gi*e,isValid({limit:e,lines:t},n){let r=t>1?/[\t\r]/:/[\t\r\n]/;return le(n)&&zi.test(n)&&n.length<=e&&!r.test(n)},encode(e,t){if(O.text.isValid(e,t))return t;throw new RangeError(`answers.${e.name}: allowed: 1 to ${e.limit} characters`)},label:(e,t,{language:n,inside:r})=>r({[n]:t})},M.text=[Ki],I.text=Vi,b({name:"texts",detect:({questions:e})=>e.some(({kind:t})=>t==="text"),validate:Wn});
