var MOST_CHARACTERS=2e3,
MOST_LINES=20,
UNIT=6,
FILLED=/^[^ \n](.*[^ \n])?$/s;
function checkText({limit:e,lines:n,beside:t},o,r){assert(isIndex(e,MOST_CHARACTERS+1)&&e>0,`${r}.limit`),assert(isIndex(n,MOST_LINES+1)&&n>0,`${r}.lines`),assert(t===void 0||t===!0,`${r}.beside`)}
function validateTexts({questions:e}){e.forEach(({kind:n,beside:t},o)=>{const r=e[o-1],i=r?.kind==="number"||r?.kind==="choice"&&r.coin===void 0;assert(t===void 0||n==="text"&&i,`questions[${o}].beside`)})}
function trimmed({lines:e},n){const t=n.replace(/\r\n?/g,`
`).replace(e>1?/\t/g:/[\t\n]/g," ");return Array.from(t).filter(isLegible).join("").replace(/^[ \n]+|[ \n]+$/g,"")}
function writing(e,n,t,o,r){const{words:i,number:a}=t,{limit:g,lines:c}=e,s=c>1?privateElement("textarea","number words"):privateElement("input","number words");Object.assign(s,{id:r,autocomplete:"off",dir:"auto",value:n?.index??"",...c>1?{rows:c}:{type:"text"}});const d=element("p",{className:"hint",id:`${r}-room`}),l=()=>g-trimmed(e,s.value).length,m=()=>{d.textContent=l()<0?i.textOver(a(-l())):i.textLeft(a(l()))};s.addEventListener("input",m),m(),s.setAttribute("aria-describedby",`${r}-hint ${d.id}`);const v=e.needed?"":`${i.ownEmpty} `,w=element("p",{className:"hint",id:`${r}-hint`},v+i.ownHint),h=u=>{const f=trimmed(e,s.value);if(l()<0)throw showComplaint(u,d.textContent,s);if(e.needed&&!f)throw showComplaint(u,i.needed,s);return{index:f||null}};return{nodes:[element("label",{htmlFor:r},o),w,s,d],read:h}}
function textField(e,n,t,o){const{nodes:r,read:i}=writing(e,t,o,o.words.ownWords,"words"),a=complaintLine();return{node:group(e,o,r,a),read:()=>i(a)}}
questionKinds.text={maxLength:({limit:e})=>2+UNIT*e,isValid({limit:e,lines:n},t){const o=n>1?/[\t\r]/:/[\t\r\n]/;return isLegible(t)&&FILLED.test(t)&&t.length<=e&&!o.test(t)},encode(e,n){if(questionKinds.text.isValid(e,n))return n;throw new RangeError(`answers.${e.name}: allowed: 1 to ${e.limit} characters`)},label:(e,n,{language:t,inside:o})=>o({[t]:n})},validators.text=checkText,fieldTypes.text=textField,register({name:"texts",detect:({questions:e})=>e.some(({kind:n,beside:t})=>n==="text"||t!==void 0),validate:validateTexts});
