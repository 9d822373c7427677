var vo="askance-seal-1",
$a=[{name:"x25519",id:32,from:0,to:32,algorithm:{name:"X25519"}},{name:"p256",id:16,from:32,to:97,algorithm:{name:"ECDH",namedCurve:"P-256"}}],
Jn=new Uint8Array(32),
Oe=e=>new TextEncoder().encode(e),
$e=(...e)=>Uint8Array.from(e.flatMap(t=>[...t]));
async function jo(e,t){let n=await crypto.subtle.importKey("raw",e,{name:"HMAC",hash:"SHA-256"},!1,["sign"]);return new Uint8Array(await crypto.subtle.sign("HMAC",n,t))}
var en=(e,t,n,r)=>jo(t,$e(Oe("HPKE-v1"),e,Oe(n),r)),
Zn=async(e,t,n,r,o)=>(await jo(t,$e([0,o],Oe("HPKE-v1"),e,Oe(n),r,[1]))).slice(0,o);
async function Ra({id:e,algorithm:t},n,{publicKey:r,privateKey:o}){let s=await crypto.subtle.importKey("raw",n,t,!1,[]),i=new Uint8Array(await crypto.subtle.exportKey("raw",r)),a=new Uint8Array(await crypto.subtle.deriveBits({name:t.name,public:s},o,256)),c=$e(Oe("KEM"),[0,e]),d=await en(c,Jn,"eae_prk",a);return[i,await Zn(c,d,"shared_secret",$e(i,n),32)]}
async function va(e,t,n,r,o=new Uint8Array,s=ja(e)){let[i,a]=await Ra(e,t,await s),c=$e(Oe("HPKE"),[0,e.id,0,1,0,1]),d=await en(c,Jn,"psk_id_hash",[]),u=$e([0],d,await en(c,Jn,"info_hash",n)),l=await en(c,a,"secret",[]),f=await Zn(c,l,"key",u,16),m=await Zn(c,l,"base_nonce",u,12),g=await crypto.subtle.importKey("raw",f,"AES-GCM",!1,["encrypt"]),y=await crypto.subtle.encrypt({name:"AES-GCM",iv:m,additionalData:o},g,r);return $e(i,new Uint8Array(y))}
var ja=({algorithm:e})=>crypto.subtle.generateKey(e,!1,["deriveBits"]),
Ba=e=>btoa([...e].map(t=>String.fromCharCode(t)).join("")).replaceAll("+","-").replaceAll("/","_").replaceAll("=",""),
Ha=e=>Uint8Array.from(atob(e.replaceAll("-","+").replaceAll("_","/")),t=>t.charCodeAt(0));
async function Pa({seal:e},t,n){let r=Oe(`${vo}\0${t}\0${n}`),o=Ha(e);for(let s of $a){let i=o.slice(s.from,s.to),a=async c=>`${vo}.${s.name}.${Ba(await va(s,i,r,Oe(c)))}`;try{return await a(""),a}catch{}}return null}
k({name:"hpke",detect:()=>!1,wrap:{createSealer:()=>Pa}});
var $o="askance-seal-1",
Ca=[{name:"x25519",id:32,from:0,to:32,algorithm:{name:"X25519"}},{name:"p256",id:16,from:32,to:97,algorithm:{name:"ECDH",namedCurve:"P-256"}}],
Qn=new Uint8Array(32),
Ae=e=>new TextEncoder().encode(e),
Ce=(...e)=>Uint8Array.from(e.flatMap(t=>[...t]));
async function Ro(e,t){let n=await crypto.subtle.importKey("raw",e,{name:"HMAC",hash:"SHA-256"},!1,["sign"]);return new Uint8Array(await crypto.subtle.sign("HMAC",n,t))}
var Yt=(e,t,n,r)=>Ro(t,Ce(Ae("HPKE-v1"),e,Ae(n),r)),
Jn=async(e,t,n,r,o)=>(await Ro(t,Ce([0,o],Ae("HPKE-v1"),e,Ae(n),r,[1]))).slice(0,o);
async function $a({id:e,algorithm:t},n,{publicKey:r,privateKey:o}){let s=await crypto.subtle.importKey("raw",n,t,!1,[]),i=new Uint8Array(await crypto.subtle.exportKey("raw",r)),a=new Uint8Array(await crypto.subtle.deriveBits({name:t.name,public:s},o,256)),c=Ce(Ae("KEM"),[0,e]),d=await Yt(c,Qn,"eae_prk",a);return[i,await Jn(c,d,"shared_secret",Ce(i,n),32)]}
async function Ra(e,t,n,r,o=new Uint8Array,s=va(e)){let[i,a]=await $a(e,t,await s),c=Ce(Ae("HPKE"),[0,e.id,0,1,0,1]),d=await Yt(c,Qn,"psk_id_hash",[]),u=Ce([0],d,await Yt(c,Qn,"info_hash",n)),l=await Yt(c,a,"secret",[]),f=await Jn(c,l,"key",u,16),p=await Jn(c,l,"base_nonce",u,12),g=await crypto.subtle.importKey("raw",f,"AES-GCM",!1,["encrypt"]),k=await crypto.subtle.encrypt({name:"AES-GCM",iv:p,additionalData:o},g,r);return Ce(i,new Uint8Array(k))}
var va=({algorithm:e})=>crypto.subtle.generateKey(e,!1,["deriveBits"]),
ja=e=>btoa([...e].map(t=>String.fromCharCode(t)).join("")).replaceAll("+","-").replaceAll("/","_").replaceAll("=",""),
Ba=e=>Uint8Array.from(atob(e.replaceAll("-","+").replaceAll("_","/")),t=>t.charCodeAt(0));
async function Ha({seal:e},t,n){let r=Ae(`${$o}\0${t}\0${n}`),o=Ba(e);for(let s of Ca){let i=o.slice(s.from,s.to),a=async c=>`${$o}.${s.name}.${ja(await Ra(s,i,r,Ae(c)))}`;try{return await a(""),a}catch{}}return null}
y({name:"hpke",detect:()=>!1,wrap:{createSealer:()=>Ha}});
