var sc="askance-seal-1",
sn=[{name:"x25519",id:32,from:0,to:32,algorithm:{name:"X25519"}},{name:"p256",id:16,from:32,to:97,algorithm:{name:"ECDH",namedCurve:"P-256"}}],
rr=new Uint8Array(32),
oe=e=>new TextEncoder().encode(e),
Be=(...e)=>Uint8Array.from(e.flatMap(t=>[...t]));
async function Go(e,t){let n=await crypto.subtle.importKey("raw",e,{name:"HMAC",hash:"SHA-256"},!1,["sign"]);return new Uint8Array(await crypto.subtle.sign("HMAC",n,t))}
var on=(e,t,n,r)=>Go(t,Be(oe("HPKE-v1"),e,oe(n),r)),
or=async(e,t,n,r,o)=>(await Go(t,Be([0,o],oe("HPKE-v1"),e,oe(n),r,[1]))).slice(0,o);
async function ic({id:e,algorithm:t},n,{publicKey:r,privateKey:o}){let s=await crypto.subtle.importKey("raw",n,t,!1,[]),i=new Uint8Array(await crypto.subtle.exportKey("raw",r)),a=new Uint8Array(await crypto.subtle.deriveBits({name:t.name,public:s},o,256)),c=Be(oe("KEM"),[0,e]),d=await on(c,rr,"eae_prk",a);return[i,await or(c,d,"shared_secret",Be(i,n),32)]}
async function ac(e,t,n,r,o=new Uint8Array,s=cc(e)){let[i,a]=await ic(e,t,await s),c=Be(oe("HPKE"),[0,e.id,0,1,0,1]),d=await on(c,rr,"psk_id_hash",[]),u=Be([0],d,await on(c,rr,"info_hash",n)),l=await on(c,a,"secret",[]),f=await or(c,l,"key",u,16),m=await or(c,l,"base_nonce",u,12),g=await crypto.subtle.importKey("raw",f,"AES-GCM",!1,["encrypt"]),k=await crypto.subtle.encrypt({name:"AES-GCM",iv:m,additionalData:o},g,r);return Be(i,new Uint8Array(k))}
var cc=({algorithm:e})=>crypto.subtle.generateKey(e,!1,["deriveBits"]),
sr=e=>btoa([...e].map(t=>String.fromCharCode(t)).join("")).replaceAll("+","-").replaceAll("/","_").replaceAll("=",""),
ir=e=>Uint8Array.from(atob(e.replaceAll("-","+").replaceAll("_","/")),t=>t.charCodeAt(0));
async function ar(e,t,n,r){let o=oe(`${t}\0${n}\0${r}`),s=ir(e);for(let i of sn){let a=s.slice(i.from,i.to),c=async d=>`${t}.${i.name}.${sr(await ac(i,a,o,d))}`;try{return await c(new Uint8Array),c}catch{}}return null}
async function dc({seal:e},t,n){let r=await ar(e,sc,t,n);return r&&(o=>r(oe(o)))}
b({name:"hpke",detect:()=>!1,wrap:{createSealer:()=>dc}});
