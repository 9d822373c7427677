var dc="askance-seal-1",
cn=[{name:"x25519",id:32,from:0,to:32,algorithm:{name:"X25519"}},{name:"p256",id:16,from:32,to:97,algorithm:{name:"ECDH",namedCurve:"P-256"}}],
tr=new Uint8Array(32),
se=e=>new TextEncoder().encode(e),
ve=(...e)=>Uint8Array.from(e.flatMap(t=>[...t]));
async function zo(e,t){let n=await crypto.subtle.importKey("raw",e,{name:"HMAC",hash:"SHA-256"},!1,["sign"]);return new Uint8Array(await crypto.subtle.sign("HMAC",n,t))}
var an=(e,t,n,r)=>zo(t,ve(se("HPKE-v1"),e,se(n),r)),
nr=async(e,t,n,r,o)=>(await zo(t,ve([0,o],se("HPKE-v1"),e,se(n),r,[1]))).slice(0,o);
async function lc({id:e,algorithm:t},n,{publicKey:r,privateKey:o}){let s=await crypto.subtle.importKey("raw",n,t,!1,[]),i=new Uint8Array(await crypto.subtle.exportKey("raw",r)),a=new Uint8Array(await crypto.subtle.deriveBits({name:t.name,public:s},o,256)),c=ve(se("KEM"),[0,e]),d=await an(c,tr,"eae_prk",a);return[i,await nr(c,d,"shared_secret",ve(i,n),32)]}
async function uc(e,t,n,r,o=new Uint8Array,s=fc(e)){let[i,a]=await lc(e,t,await s),c=ve(se("HPKE"),[0,e.id,0,1,0,1]),d=await an(c,tr,"psk_id_hash",[]),u=ve([0],d,await an(c,tr,"info_hash",n)),l=await an(c,a,"secret",[]),f=await nr(c,l,"key",u,16),m=await nr(c,l,"base_nonce",u,12),g=await crypto.subtle.importKey("raw",f,"AES-GCM",!1,["encrypt"]),k=await crypto.subtle.encrypt({name:"AES-GCM",iv:m,additionalData:o},g,r);return ve(i,new Uint8Array(k))}
var fc=({algorithm:e})=>crypto.subtle.generateKey(e,!1,["deriveBits"]),
rr=e=>btoa([...e].map(t=>String.fromCharCode(t)).join("")).replaceAll("+","-").replaceAll("/","_").replaceAll("=",""),
or=e=>Uint8Array.from(atob(e.replaceAll("-","+").replaceAll("_","/")),t=>t.charCodeAt(0));
async function sr(e,t,n,r){let o=se(`${t}\0${n}\0${r}`),s=or(e);for(let i of cn){let a=s.slice(i.from,i.to),c=async d=>`${t}.${i.name}.${rr(await uc(i,a,o,d))}`;try{return await c(new Uint8Array),c}catch{}}return null}
async function pc({seal:e},t,n){let r=await sr(e,dc,t,n);return r&&(o=>r(se(o)))}
b({name:"hpke",detect:()=>!1,wrap:{createSealer:()=>pc}});
