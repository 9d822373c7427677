var Jo=16,
Pc=40,
Dc=512,
on=[];
for(let e=2;on.length<64;e+=1)on.every(t=>e%t)&&on.push(e);
var Zo=e=>on.map(t=>t**e%1*2**32|0),
[Fc,Xo]=[Zo(1/3),Zo(1/2).slice(0,8)],
ne=(e,t)=>e>>>t|e<<32-t,
Mc={open:v({"work?":[8,24],"rate?":[1,1e6]})};
function Uc(e){for(let d=16;d<64;d+=1){let[u,l]=[e[d-2],e[d-15]],f=ne(u,17)^ne(u,19)^u>>>10,p=ne(l,7)^ne(l,18)^l>>>3;e[d]=f+e[d-7]+p+e[d-16]}let[t,n,r,o,s,i,a,c]=Xo;for(let d=0;d<64;d+=1){let u=c+(ne(s,6)^ne(s,11)^ne(s,25))+(s&i^~s&a)+Fc[d]+e[d],l=(ne(t,2)^ne(t,13)^ne(t,22))+(t&n^t&r^n&r);c=a,a=i,i=s,s=o+u|0,o=r,r=n,n=t,t=u+l|0}return t+Xo[0]>>>0}
function Wc(e){let t=new Int32Array(64);return e.match(/.{8}/g)?.forEach((n,r)=>t[r]=Number.parseInt(n,16)),t[15]=424,t}
function Kc(e,t,n,r){return e[12]=t<<24|n>>>8,e[13]=n<<24|1<<23,Uc(e)>>>36-r===0}
async function _c(e,t,n,r=()=>{}){let o=Wc(e+await V(t)),s="",i=Date.now();for(let a=0;a<Jo;a+=1)for(let c=0;;c+=1){if(Kc(o,a,c,n)){s+=c.toString(16).padStart(8,"0");break}c%Dc===0&&Date.now()-i>Pc&&(r(a),await new Promise(d=>setTimeout(d)),i=Date.now())}return s}
async function Gc(e,t){let{form:n,draft:r,speech:{words:o,number:s}}=e,{work:i}=n.open;try{for(;;){let{wait:a,challenge:c}=await(await Ve(z(n,location.href),{})).json();if(!C(a,3600))return i?await _c(c,r.body(),i,d=>t.textContent=o.working(s(d),s(Jo))):"";t.textContent=o.waiting(s(a)),await new Promise(d=>setTimeout(d,Math.min(a,10)*1e3))}}catch{return""}}
var zc=e=>(t,n,r)=>{let{form:{open:o},speech:{words:s}}=n,i=[...o.work?[s.workTold]:[],...o.rate?[s.rateTold]:[]];return[...e(t,n,r),...i.map(a=>h(a,"hint"))]};
k({name:"open",shapes:Mc,validate:({tokens:e})=>w(e===void 0,"open"),wrap:{renderAnswers:zc,stamp:()=>(e,t)=>t?Gc(e,t):""}});
