var Qr="askance-seal-1",
Ki=[{name:"x25519",id:32,from:0,to:32,algorithm:{name:"X25519"}},{name:"p256",id:16,from:32,to:97,algorithm:{name:"ECDH",namedCurve:"P-256"}}],
An=new Uint8Array(32),
ge=e=>new TextEncoder().encode(e),
Ae=(...e)=>Uint8Array.from(e.flatMap(t=>[...t]));
async function Jr(e,t){let n=await crypto.subtle.importKey("raw",e,{name:"HMAC",hash:"SHA-256"},!1,["sign"]);return new Uint8Array(await crypto.subtle.sign("HMAC",n,t))}
var Ft=(e,t,n,r)=>Jr(t,Ae(ge("HPKE-v1"),e,ge(n),r)),
En=async(e,t,n,r,o)=>(await Jr(t,Ae([0,o],ge("HPKE-v1"),e,ge(n),r,[1]))).slice(0,o);
async function Gi({id:e,algorithm:t},n,{publicKey:r,privateKey:o}){let s=await crypto.subtle.importKey("raw",n,t,!1,[]),i=new Uint8Array(await crypto.subtle.exportKey("raw",r)),a=new Uint8Array(await crypto.subtle.deriveBits({name:t.name,public:s},o,256)),c=Ae(ge("KEM"),[0,e]),d=await Ft(c,An,"eae_prk",a);return[i,await En(c,d,"shared_secret",Ae(i,n),32)]}
async function zi(e,t,n,r,o=new Uint8Array,s=Vi(e)){let[i,a]=await Gi(e,t,await s),c=Ae(ge("HPKE"),[0,e.id,0,1,0,1]),d=await Ft(c,An,"psk_id_hash",[]),u=Ae([0],d,await Ft(c,An,"info_hash",n)),l=await Ft(c,a,"secret",[]),f=await En(c,l,"key",u,16),g=await En(c,l,"base_nonce",u,12),w=await crypto.subtle.importKey("raw",f,"AES-GCM",!1,["encrypt"]),O=await crypto.subtle.encrypt({name:"AES-GCM",iv:g,additionalData:o},w,r);return Ae(i,new Uint8Array(O))}
var Vi=({algorithm:e})=>crypto.subtle.generateKey(e,!1,["deriveBits"]),
Qi=e=>btoa([...e].map(t=>String.fromCharCode(t)).join("")).replaceAll("+","-").replaceAll("/","_").replaceAll("=",""),
Ji=e=>Uint8Array.from(atob(e.replaceAll("-","+").replaceAll("_","/")),t=>t.charCodeAt(0));
async function Zi({seal:e},t,n){let r=ge(`${Qr}\0${t}\0${n}`),o=Ji(e);for(let s of Ki){let i=o.slice(s.from,s.to),a=async c=>`${Qr}.${s.name}.${Qi(await zi(s,i,r,ge(c)))}`;try{return await a(""),a}catch{}}return null}
k({name:"hpke",detect:()=>!1,wrap:{createSealer:()=>Zi}});
