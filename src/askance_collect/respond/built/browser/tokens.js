var EXPONENT=65537n,
LENGTHS=[2048,3072,4096],
MOST_KEYS=32,
MOST_CODES=1e9,
SIGNS=16,
PREFIXED=32,
SALTED=48,
HASHED=48,
KEY_NAME=/^[a-z][a-z0-9_]{0,39}$/,
BASE64=/^[\w-]+$/,
ISSUER=/^(https:\/\/|http:\/\/(?=(localhost|127\.0\.0\.1)[:/]))([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([A-Za-z0-9_.~-]+\/)*$/;
function validateTokens({tokens:e,collector:t,about:a}){assert(isObject(e)&&Object.keys(e).sort().join()==="issuer,keys","tokens");const{issuer:n,keys:r}=e;assert(isAddress(n)&&n!==t,"tokens.issuer"),assert(isList(r)&&r.length>0&&r.length<=MOST_KEYS&&r.every(isKey),"tokens.keys"),assert(allDistinct(r.map(({name:o})=>o))&&allDistinct(r.map(({n:o})=>o)),"tokens.keys"),assert(r.every(({n:o})=>o.length===r[0].n.length),"tokens.keys"),assert(r.every(({codes:o})=>o===void 0)||r.every(({codes:o})=>isCrowd(o,a)),"tokens.keys.codes")}
function isAddress(e){try{return matches(e,ISSUER)&&new URL(e).hostname.length>0}catch{return!1}}
var isCrowd=(e,{minimum:t=1})=>isIndex(e,MOST_CODES+1)&&e>1&&Number.isInteger(t)&&e>=t;
function isKey(e){if(!isObject(e)||!/^(codes,)?n,name$/.test(Object.keys(e).sort().join())||!matches(e.name,KEY_NAME)||!matches(e.n,BASE64))return!1;const t=modulusOf(e);return LENGTHS.includes(t.toString(2).length)&&t%2n===1n&&textOf(bytesFor(t,t))===e.n}
var modulusOf=({n:e})=>bigOf(bytesIn(e)),
textOf=e=>btoa(String.fromCharCode(...e)).replace(/\+/g,"-").replace(/\//g,"_").replace(/=/g,""),
bytesIn=e=>Uint8Array.from(atob(e.replace(/-/g,"+").replace(/_/g,"/")),t=>t.charCodeAt(0)),
bigOf=e=>BigInt(`0x${[...e].map(t=>t.toString(16).padStart(2,"0")).join("")}`);
function bytesFor(e,t){const a=e.toString(16).padStart(Math.ceil(t.toString(16).length/2)*2,"0");return Uint8Array.from(a.match(/../g)??[],n=>Number.parseInt(n,16))}
function powered(e,t,a){let[n,r]=[1n,e];for(let o=t;o>0n;o>>=1n)o&1n&&(n=n*r%a),r=r*r%a;return n}
function inverted(e,t){let[a,n,r,o]=[t,e,0n,1n];for(;n>0n;){const s=a/n;[a,n,r,o]=[n,a-s*n,o,r-s*o]}return a===1n?(r%t+t)%t:void 0}
var chained=(...e)=>Uint8Array.from(e.flatMap(t=>[...t])),
hash=async(...e)=>new Uint8Array(await crypto.subtle.digest("SHA-384",chained(...e)));
async function mask(e,t){const a=[...Array(Math.ceil(t/HASHED)).keys()],n=await Promise.all(a.map(r=>hash(e,[0,0,0,r])));return chained(...n).slice(0,t)}
async function padded(e,t,a){const n=new Uint8Array(bytesFor(0n,a).length-HASHED-1);n[n.length-SALTED-1]=1,n.set(t,n.length-SALTED);const r=await hash(new Uint8Array(8),await hash(e),t),o=await mask(r,n.length);return n.forEach((s,i)=>n[i]=s^o[i]),n[0]&=127,bigOf(chained(n,r,[188]))}
var messageOf=(e,t)=>chained(t,new TextEncoder().encode(`askance-token-1 ${e}`));
function drawToken(e){let t;do t=bigOf(systemBytes(bytesFor(0n,e).length));while(t>=e||inverted(t,e)===void 0);return{prefix:textOf(systemBytes(PREFIXED)),salt:textOf(systemBytes(SALTED)),factor:textOf(bytesFor(t,e))}}
async function blinded(e,t,{prefix:a,salt:n,factor:r}){const o=modulusOf(e),s=await padded(messageOf(t,bytesIn(a)),bytesIn(n),o),i=s*powered(bigOf(bytesIn(r)),EXPONENT,o)%o;return{encoded:s,hidden:textOf(bytesFor(i,o))}}
function unblinded(e,t,a,n,{prefix:r,factor:o}){const s=modulusOf(e);if(!matches(n,BASE64)||n.length!==e.n.length)return;const i=bigOf(bytesIn(n))*(inverted(bigOf(bytesIn(o)),s)??0n)%s;if(powered(i,EXPONENT,s)===a)return textOf(chained([t],bytesIn(r),bytesFor(i,s)))}
var tokenKey=({fingerprint:e})=>`askance-token:${e}`;
function storedToken(e){try{return JSON.parse(sessionStorage.getItem(tokenKey(e))??"null")??e.state.token}catch{return e.state.token}}
function storeToken(e,t){e.dispatch({type:"update",change:{token:t}});try{t?sessionStorage.setItem(tokenKey(e),JSON.stringify(t)):sessionStorage.removeItem(tokenKey(e))}catch{}}
var tokenOf=e=>storedToken(e)?.token??"";
async function exchange(e,t){const{form:a,fingerprint:n,speech:{words:r}}=e,{issuer:o,keys:s}=a.tokens,i=LETTERS.indexOf(t[0]);if(t.length!==SIGNS||!s[i]||[...t].some(u=>!LETTERS.includes(u)))return r.invitationUnknown;const d=storedToken(e),c=d?.code===t?d.drawn:drawToken(modulusOf(s[i]));storeToken(e,{code:t,drawn:c});const{encoded:h,hidden:g}=await blinded(s[i],n,c);try{const u=await request(new URL("sign",o),{method:"POST",body:JSON.stringify({blinded:g,code:t}),headers:{"Content-Type":"text/plain"}}),{signature:p,error:l}=await u.json();if(l)return refusalText(l.code,r);const f=unblinded(s[i],i,h,p,c);if(!f)return r.invitationForged;storeToken(e,{token:f});return}catch{return r.invitationFailed}}
function refusalText(e,t){return e==="unknown"?t.invitationUnknown:e==="exchanged"?t.invitationUsed:e==="wrong"?t.invitationForged:t.invitationFailed}
function codeInAddress(){return new URLSearchParams(location.hash.slice(1)).get("code")??""}
function forgetCode(){const e=new URLSearchParams(location.hash.slice(1));e.delete("code"),history.replaceState(history.state,"",`${location.pathname}${location.search}${String(e)&&`#${e}`}`)}
var exchangeFirst=e=>(t,a)=>t.step<=0||tokenOf(a)||a.draft.isBound()?e(t,a):e({type:"move",step:0,by:0,aside:exchangeScreen},a),
exchangeScreen={render:renderExchange};
function renderExchange(e){const{form:t,speech:{words:a}}=e,n=codeInput(),r=complaintLine(),o=button(a.exchange,d,"main"),s=element("p",{role:"status"});n.value=storedToken(e)?.code??codeInAddress(),n.setAttribute("aria-describedby",r.id),clearOnInput(n,r),n.addEventListener("input",i),i();function i(){const c=t.tokens.keys[LETTERS.indexOf(codeIn(n.value)[0])];s.textContent=c?c.codes?a.invitationCrowd(c.codes,c.name):a.invitationUncounted:""}async function d(){if(o.hasAttribute("aria-disabled"))return;o.setAttribute("aria-disabled","true");const c=await exchange(e,codeIn(n.value));if(o.removeAttribute("aria-disabled"),!!o.isConnected){if(c){showComplaint(r,c,n);return}forgetCode(),e.forward()}}return[heading(a.invitation),paragraph(a.invitationHow),...t.tokens.keys.length>1?[paragraph(a.invitationKeys(t.tokens.keys.length))]:[],element("label",{htmlFor:n.id},a.invitation),n,s,r,buttons(button(a.back,()=>e.turnTo(void 0)),o)]}
function carryToken(e){const{state:t,resume:a}=e.draft;e.draft.state=()=>{const n=t();return{...n,kept:{...n.kept,token:tokenOf(e)}}},e.draft.resume=({token:n,...r})=>{n&&storeToken(e,{token:n}),a(r)}}
register({name:"tokens",detect:({tokens:e})=>e!==void 0,validate:validateTokens,wrap:{openVisit:e=>t=>{carryToken(t),e(t)},redirectMove:exchangeFirst,renderEnding:e=>(t,a,n)=>(storeToken(n,void 0),e(t,a,n)),stamp:()=>tokenOf}});
