var ei=2e3,
ti=20,
ni=6,
ri=/^[^ \n](.*[^ \n])?$/s;
function oi({limit:e,lines:t,beside:n},r,o){p(y(e,ei+1)&&e>0,`${o}.limit`),p(y(t,ti+1)&&t>0,`${o}.lines`),p(n===void 0||n===!0,`${o}.beside`)}
function si({questions:e}){e.forEach(({kind:t,beside:n},r)=>{let o=e[r-1],s=o?.kind==="number"||o?.kind==="choice"&&o.coin===void 0;p(n===void 0||t==="text"&&s,`questions[${r}].beside`)})}
function Cr({lines:e},t){let n=t.replace(/\r\n?/g,`
`).replace(e>1?/\t/g:/[\t\n]/g," ");return Array.from(n).filter(rt).join("").replace(/^[ \n]+|[ \n]+$/g,"")}
function xn(e,t,n,r,o){let{words:s,number:i}=n,{limit:a,lines:c}=e,d=c>1?B("textarea","number words"):B("input","number words");Object.assign(d,{id:o,autocomplete:"off",dir:"auto",value:t?.index??"",...c>1?{rows:c}:{type:"text"}});let u=m("p",{className:"hint",id:`${o}-room`}),l=()=>a-Cr(e,d.value).length,f=()=>{u.textContent=l()<0?s.textOver(i(-l())):s.textLeft(i(l()))};d.addEventListener("input",f),f(),d.setAttribute("aria-describedby",`${o}-hint ${u.id}`);let g=e.needed?"":`${s.ownEmpty} `,w=m("p",{className:"hint",id:`${o}-hint`},g+s.ownHint),S=N=>{let v=Cr(e,d.value);if(l()<0)throw W(N,u.textContent,d);if(e.needed&&!v)throw W(N,s.needed,d);return{index:v||null}};return{nodes:[m("label",{htmlFor:o},r),w,d,u],read:S}}
function ii(e,t,n,r){let{nodes:o,read:s}=xn(e,n,r,r.words.ownWords,"words"),i=H();return{node:q(e,r,o,i),read:()=>s(i)}}
T.text={maxLength:({limit:e})=>2+ni*e,isValid({limit:e,lines:t},n){let r=t>1?/[\t\r]/:/[\t\r\n]/;return rt(n)&&ri.test(n)&&n.length<=e&&!r.test(n)},encode(e,t){if(T.text.isValid(e,t))return t;throw new RangeError(`answers.${e.name}: allowed: 1 to ${e.limit} characters`)},label:(e,t,{language:n,inside:r})=>r({[n]:t})},pe.text=oi,I.text=ii,k({name:"texts",detect:({questions:e})=>e.some(({kind:t,beside:n})=>t==="text"||n!==void 0),validate:si});
var gi={...he,limit:[1,2e3],lines:[1,20],"beside?":!0},
wi=6,
bi=/^[^ \n](.*[^ \n])?$/s;
function yi({questions:e}){e.forEach(({beside:t},n)=>{let r=e[n-1],o=r?.kind==="number"||r?.kind==="choice"&&r.coin===void 0;b(!t||o,`questions[${n}].beside`)})}
function zr({lines:e},t){let n=t.replace(/\r\n?/g,`
`).replace(e>1?/\t/g:/[\t\n]/g," ");return Array.from(n).filter(se).join("").replace(/^[ \n]+|[ \n]+$/g,"")}
function $n(e,t,n,r,o){let{words:s,number:i}=n,{limit:a,lines:c}=e,d=c>1?H("textarea","number words"):H("input","number words");Object.assign(d,{id:o,autocomplete:"off",dir:"auto",value:t?.index??"",...c>1?{rows:c}:{type:"text"}});let u=p("p",{className:"hint",id:`${o}-room`}),l=()=>a-zr(e,d.value).length,f=()=>{u.textContent=l()<0?s.textOver(i(-l())):s.textLeft(i(l()))};d.addEventListener("input",f),f(),d.setAttribute("aria-describedby",`${o}-hint ${u.id}`);let h=e.needed?"":`${s.ownEmpty} `,g=p("p",{className:"hint",id:`${o}-hint`},h+s.ownHint),S=L=>{let R=zr(e,d.value);if(l()<0)throw U(L,u.textContent,d);if(e.needed&&!R)throw U(L,s.needed,d);return{index:R||null}};return{nodes:[p("label",{htmlFor:o},r),g,d,u],read:S}}
function ki(e,t,n,r){let{nodes:o,read:s}=$n(e,n,r,r.words.ownWords,"words"),i=P();return{node:q(e,r,o,i),read:()=>s(i)}}
A.text={maxLength:({limit:e})=>2+wi*e,isValid({limit:e,lines:t},n){let r=t>1?/[\t\r]/:/[\t\r\n]/;return se(n)&&bi.test(n)&&n.length<=e&&!r.test(n)},encode(e,t){if(A.text.isValid(e,t))return t;throw new RangeError(`answers.${e.name}: allowed: 1 to ${e.limit} characters`)},label:(e,t,{language:n,inside:r})=>r({[n]:t})},F.text=[gi],T.text=ki,y({name:"texts",detect:({questions:e})=>e.some(({kind:t})=>t==="text"),validate:yi});
