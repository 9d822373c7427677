var Qi={...re,limit:[1,2e3],lines:[1,20],"beside?":!0},
Ji=6,
Zi=/^[^ \n](.*[^ \n])?$/s;
function Gn({questions:e}){e.forEach(({beside:t},n)=>{let r=e[n-1],o=r?.kind==="number"||r?.kind==="choice"&&r.coin===void 0;w(!t||o,`questions[${n}].beside`)})}
function mo({lines:e},t){let n=t.replace(/\r\n?/g,`
`).replace(e>1?/\t/g:/[\t\n]/g," ");return Array.from(n).filter(ue).join("").replace(/^[ \n]+|[ \n]+$/g,"")}
function zn(e,t,n,r,o){let{words:s,number:i}=n,{limit:a,lines:c}=e,d=c>1?F("textarea","number words"):F("input","number words");Object.assign(d,{id:o,autocomplete:"off",dir:"auto",value:t?.index??"",...c>1?{rows:c}:{type:"text"}});let u=p("p",{className:"hint",id:`${o}-room`}),l=()=>a-mo(e,d.value).length,f=()=>{u.textContent=l()<0?s.textOver(i(-l())):s.textLeft(i(l()))};d.addEventListener("input",f),f(),d.setAttribute("aria-describedby",`${o}-hint ${u.id}`);let m=e.needed?"":`${s.ownEmpty} `,g=p("p",{className:"hint",id:`${o}-hint`},m+s.ownHint),k=L=>{let j=mo(e,d.value);if(l()<0)throw D(L,u.textContent,d);if(e.needed&&!j)throw D(L,s.needed,d);return{index:j||null}};return{nodes:[p("label",{htmlFor:o},r),g,d,u],read:k}}
function Xi(e,t,n,r){let{nodes:o,read:s}=zn(e,n,r,r.words.ownWords,"words"),i=M();return{node:ne(o,i),read:()=>s(i)}}
S.text={maxLength:({limit:e})=>2+Ji*e,isValid({limit:e,lines:t},n){let r=t>1?/[\t\r]/:/[\t\r\n]/;return ue(n)&&Zi.test(n)&&n.length<=e&&!r.test(n)},encode(e,t){if(S.text.isValid(e,t))return t;throw new RangeError(`answers.${e.name}: allowed: 1 to ${e.limit} characters`)},label:(e,t,{language:n,inside:r})=>r({[n]:t})},H.text=[Qi],N.text=Xi,b({name:"texts",detect:({questions:e})=>e.some(({kind:t})=>t==="text"),validate:Gn});
