var BLANKS={},
WORD=/^[A-Za-z]{1,40}$/;
function validateWords({words:t,languages:n,contact:r}){const e=Object.keys(t??{});assert(e.length>0&&e.every(s=>n.includes(s)&&areWords(t[s])),"words");for(const s of e)WORDS_OF[s]=wordsOfForm(t[s].words,r[s].trim()==="")}
function areWords(t){const{checked:n,words:r}=t??{},e=Object.entries(r??{});return typeof n!="boolean"||Object.keys(t).length!==2||e.length===0?!1:e.every(([s,o])=>WORD.test(s)&&isPhrase(o))}
function isPhrase(t){const n=typeof t=="string"?[t]:t,r=Object.keys(n??{});return r.length>0&&isWording({...n},r)}
function wordsOfForm(t,n){const r=Object.keys(WORDS_OF.en).map(e=>[e,n&&t[`${e}Alone`]||t[e]]);return Object.fromEntries(r.filter(([,e])=>e!==void 0).map(([e,s])=>[e,blanksByNumber(e,s)]))}
function blanksByNumber(t,n){const r=BLANKS[t]??[],e=JSON.stringify(n).replace(/\{(\w+)\}/g,(o,c)=>`{${r.indexOf(c)}}`),s=n.other===void 0?{}:{by:r.indexOf("count")};return typeof n=="string"?JSON.parse(e):Object.assign(JSON.parse(e),s)}
register({name:"words",detect:({words:t})=>t!==void 0,validate:validateWords});
