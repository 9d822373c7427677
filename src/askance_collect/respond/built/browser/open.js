var PARTS=16,
SLICE=40,
TRIES=512,
primes=[];
for(let e=2;primes.length<64;e+=1)primes.every(t=>e%t)&&primes.push(e);
var rooted=e=>primes.map(t=>t**e%1*2**32|0),
[ROUNDS2,BEGIN]=[rooted(1/3),rooted(1/2).slice(0,8)],
turned=(e,t)=>e>>>t|e<<32-t;
function validateOpen({open:e,tokens:t}){assert(isObject(e)&&t===void 0,"open");const{work:n=8,rate:o=1,...i}=e;assert(Object.keys(e).length>0&&Object.keys(i).length===0,"open"),assert(isIndex(n,25)&&n>=8&&isIndex(o,1000001)&&o>0,"open")}
function firstOf(e){for(let r=16;r<64;r+=1){const[p,d]=[e[r-2],e[r-15]],w=turned(p,17)^turned(p,19)^p>>>10,u=turned(d,7)^turned(d,18)^d>>>3;e[r]=w+e[r-7]+u+e[r-16]}let[t,n,o,i,a,c,s,f]=BEGIN;for(let r=0;r<64;r+=1){const p=f+(turned(a,6)^turned(a,11)^turned(a,25))+(a&c^~a&s)+ROUNDS2[r]+e[r],d=(turned(t,2)^turned(t,13)^turned(t,22))+(t&n^t&o^n&o);f=s,s=c,c=a,a=i+p|0,i=o,o=n,n=t,t=p+d|0}return t+BEGIN[0]>>>0}
function blockOf(e){const t=new Int32Array(64);return e.match(/.{8}/g)?.forEach((n,o)=>t[o]=Number.parseInt(n,16)),t[15]=424,t}
function isDone(e,t,n,o){return e[12]=t<<24|n>>>8,e[13]=n<<24|1<<23,firstOf(e)>>>36-o===0}
async function solveStamp(e,t,n,o=()=>{}){const i=blockOf(e+await sha256(t));let a="",c=Date.now();for(let s=0;s<PARTS;s+=1)for(let f=0;;f+=1){if(isDone(i,s,f,n)){a+=f.toString(16).padStart(8,"0");break}f%TRIES===0&&Date.now()-c>SLICE&&(o(s),await new Promise(r=>setTimeout(r)),c=Date.now())}return a}
async function createStamp(e,t){const{form:n,draft:o,speech:{words:i,number:a}}=e,{work:c}=n.open;try{for(;;){const{wait:s,challenge:f}=await(await request(destination(n,location.href),{})).json();if(!isIndex(s,3600))return c?await solveStamp(f,o.body(),c,r=>t.textContent=i.working(a(r),a(PARTS))):"";t.textContent=i.waiting(a(s)),await new Promise(r=>setTimeout(r,Math.min(s,10)*1e3))}}catch{return""}}
var renderCost=e=>(t,n,o)=>{const{form:{open:i},speech:{words:a}}=n,c=[...i.work?[a.workTold]:[],...i.rate?[a.rateTold]:[]];return[...e(t,n,o),...c.map(s=>paragraph(s,"hint"))]};
register({name:"open",detect:({open:e})=>e!==void 0,validate:validateOpen,wrap:{renderAnswers:renderCost,stamp:()=>(e,t)=>t?createStamp(e,t):""}});
