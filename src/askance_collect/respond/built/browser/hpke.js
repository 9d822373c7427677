var Ho="askance-seal-1",
za=[{name:"x25519",id:32,from:0,to:32,algorithm:{name:"X25519"}},{name:"p256",id:16,from:32,to:97,algorithm:{name:"ECDH",namedCurve:"P-256"}}],
qn=new Uint8Array(32),
Ne=e=>new TextEncoder().encode(e),
je=(...e)=>Uint8Array.from(e.flatMap(t=>[...t]));
async function Po(e,t){let n=await crypto.subtle.importKey("raw",e,{name:"HMAC",hash:"SHA-256"},!1,["sign"]);return new Uint8Array(await crypto.subtle.sign("HMAC",n,t))}
var rn=(e,t,n,r)=>Po(t,je(Ne("HPKE-v1"),e,Ne(n),r)),
er=async(e,t,n,r,o)=>(await Po(t,je([0,o],Ne("HPKE-v1"),e,Ne(n),r,[1]))).slice(0,o);
async function Va({id:e,algorithm:t},n,{publicKey:r,privateKey:o}){let s=await crypto.subtle.importKey("raw",n,t,!1,[]),i=new Uint8Array(await crypto.subtle.exportKey("raw",r)),a=new Uint8Array(await crypto.subtle.deriveBits({name:t.name,public:s},o,256)),c=je(Ne("KEM"),[0,e]),d=await rn(c,qn,"eae_prk",a);return[i,await er(c,d,"shared_secret",je(i,n),32)]}
async function Qa(e,t,n,r,o=new Uint8Array,s=Ja(e)){let[i,a]=await Va(e,t,await s),c=je(Ne("HPKE"),[0,e.id,0,1,0,1]),d=await rn(c,qn,"psk_id_hash",[]),u=je([0],d,await rn(c,qn,"info_hash",n)),l=await rn(c,a,"secret",[]),f=await er(c,l,"key",u,16),m=await er(c,l,"base_nonce",u,12),g=await crypto.subtle.importKey("raw",f,"AES-GCM",!1,["encrypt"]),k=await crypto.subtle.encrypt({name:"AES-GCM",iv:m,additionalData:o},g,r);return je(i,new Uint8Array(k))}
var Ja=({algorithm:e})=>crypto.subtle.generateKey(e,!1,["deriveBits"]),
Za=e=>btoa([...e].map(t=>String.fromCharCode(t)).join("")).replaceAll("+","-").replaceAll("/","_").replaceAll("=",""),
Xa=e=>Uint8Array.from(atob(e.replaceAll("-","+").replaceAll("_","/")),t=>t.charCodeAt(0));
async function Ya({seal:e},t,n){let r=Ne(`${Ho}\0${t}\0${n}`),o=Xa(e);for(let s of za){let i=o.slice(s.from,s.to),a=async c=>`${Ho}.${s.name}.${Za(await Qa(s,i,r,Ne(c)))}`;try{return await a(""),a}catch{}}return null}
b({name:"hpke",detect:()=>!1,wrap:{createSealer:()=>Ya}});
