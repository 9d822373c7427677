var no="askance-seal-1",
ra=[{name:"x25519",id:32,from:0,to:32,algorithm:{name:"X25519"}},{name:"p256",id:16,from:32,to:97,algorithm:{name:"ECDH",namedCurve:"P-256"}}],
In=new Uint8Array(32),
ye=e=>new TextEncoder().encode(e),
$e=(...e)=>Uint8Array.from(e.flatMap(t=>[...t]));
async function ro(e,t){let n=await crypto.subtle.importKey("raw",e,{name:"HMAC",hash:"SHA-256"},!1,["sign"]);return new Uint8Array(await crypto.subtle.sign("HMAC",n,t))}
var _t=(e,t,n,r)=>ro(t,$e(ye("HPKE-v1"),e,ye(n),r)),
Nn=async(e,t,n,r,o)=>(await ro(t,$e([0,o],ye("HPKE-v1"),e,ye(n),r,[1]))).slice(0,o);
async function oa({id:e,algorithm:t},n,{publicKey:r,privateKey:o}){let s=await crypto.subtle.importKey("raw",n,t,!1,[]),i=new Uint8Array(await crypto.subtle.exportKey("raw",r)),a=new Uint8Array(await crypto.subtle.deriveBits({name:t.name,public:s},o,256)),c=$e(ye("KEM"),[0,e]),d=await _t(c,In,"eae_prk",a);return[i,await Nn(c,d,"shared_secret",$e(i,n),32)]}
async function sa(e,t,n,r,o=new Uint8Array,s=ia(e)){let[i,a]=await oa(e,t,await s),c=$e(ye("HPKE"),[0,e.id,0,1,0,1]),d=await _t(c,In,"psk_id_hash",[]),u=$e([0],d,await _t(c,In,"info_hash",n)),l=await _t(c,a,"secret",[]),f=await Nn(c,l,"key",u,16),g=await Nn(c,l,"base_nonce",u,12),w=await crypto.subtle.importKey("raw",f,"AES-GCM",!1,["encrypt"]),S=await crypto.subtle.encrypt({name:"AES-GCM",iv:g,additionalData:o},w,r);return $e(i,new Uint8Array(S))}
var ia=({algorithm:e})=>crypto.subtle.generateKey(e,!1,["deriveBits"]),
aa=e=>btoa([...e].map(t=>String.fromCharCode(t)).join("")).replaceAll("+","-").replaceAll("/","_").replaceAll("=",""),
ca=e=>Uint8Array.from(atob(e.replaceAll("-","+").replaceAll("_","/")),t=>t.charCodeAt(0));
async function da({seal:e},t,n){let r=ye(`${no}\0${t}\0${n}`),o=ca(e);for(let s of ra){let i=o.slice(s.from,s.to),a=async c=>`${no}.${s.name}.${aa(await sa(s,i,r,ye(c)))}`;try{return await a(""),a}catch{}}return null}
k({name:"hpke",detect:()=>!1,wrap:{createSealer:()=>da}});
var ho="askance-seal-1",
pa=[{name:"x25519",id:32,from:0,to:32,algorithm:{name:"X25519"}},{name:"p256",id:16,from:32,to:97,algorithm:{name:"ECDH",namedCurve:"P-256"}}],
Wn=new Uint8Array(32),
xe=e=>new TextEncoder().encode(e),
Le=(...e)=>Uint8Array.from(e.flatMap(t=>[...t]));
async function go(e,t){let n=await crypto.subtle.importKey("raw",e,{name:"HMAC",hash:"SHA-256"},!1,["sign"]);return new Uint8Array(await crypto.subtle.sign("HMAC",n,t))}
var Xt=(e,t,n,r)=>go(t,Le(xe("HPKE-v1"),e,xe(n),r)),
Kn=async(e,t,n,r,o)=>(await go(t,Le([0,o],xe("HPKE-v1"),e,xe(n),r,[1]))).slice(0,o);
async function ma({id:e,algorithm:t},n,{publicKey:r,privateKey:o}){let s=await crypto.subtle.importKey("raw",n,t,!1,[]),i=new Uint8Array(await crypto.subtle.exportKey("raw",r)),a=new Uint8Array(await crypto.subtle.deriveBits({name:t.name,public:s},o,256)),c=Le(xe("KEM"),[0,e]),d=await Xt(c,Wn,"eae_prk",a);return[i,await Kn(c,d,"shared_secret",Le(i,n),32)]}
async function ha(e,t,n,r,o=new Uint8Array,s=ga(e)){let[i,a]=await ma(e,t,await s),c=Le(xe("HPKE"),[0,e.id,0,1,0,1]),d=await Xt(c,Wn,"psk_id_hash",[]),u=Le([0],d,await Xt(c,Wn,"info_hash",n)),l=await Xt(c,a,"secret",[]),f=await Kn(c,l,"key",u,16),h=await Kn(c,l,"base_nonce",u,12),g=await crypto.subtle.importKey("raw",f,"AES-GCM",!1,["encrypt"]),S=await crypto.subtle.encrypt({name:"AES-GCM",iv:h,additionalData:o},g,r);return Le(i,new Uint8Array(S))}
var ga=({algorithm:e})=>crypto.subtle.generateKey(e,!1,["deriveBits"]),
wa=e=>btoa([...e].map(t=>String.fromCharCode(t)).join("")).replaceAll("+","-").replaceAll("/","_").replaceAll("=",""),
ba=e=>Uint8Array.from(atob(e.replaceAll("-","+").replaceAll("_","/")),t=>t.charCodeAt(0));
async function ya({seal:e},t,n){let r=xe(`${ho}\0${t}\0${n}`),o=ba(e);for(let s of pa){let i=o.slice(s.from,s.to),a=async c=>`${ho}.${s.name}.${wa(await ha(s,i,r,xe(c)))}`;try{return await a(""),a}catch{}}return null}
y({name:"hpke",detect:()=>!1,wrap:{createSealer:()=>ya}});
