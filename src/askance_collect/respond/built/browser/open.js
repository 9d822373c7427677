var Jo=16,
Mc=40,
Uc=512,
on=[];
for(let e=2;on.length<64;e+=1)on.every(t=>e%t)&&on.push(e);
var Zo=e=>on.map(t=>t**e%1*2**32|0),
[Wc,Xo]=[Zo(1/3),Zo(1/2).slice(0,8)],
ne=(e,t)=>e>>>t|e<<32-t,
Kc={open:j({"work?":[8,24],"rate?":[1,1e6]})};
function _c(e){for(let d=16;d<64;d+=1){let[u,l]=[e[d-2],e[d-15]],f=ne(u,17)^ne(u,19)^u>>>10,p=ne(l,7)^ne(l,18)^l>>>3;e[d]=f+e[d-7]+p+e[d-16]}let[t,n,r,o,s,i,a,c]=Xo;for(let d=0;d<64;d+=1){let u=c+(ne(s,6)^ne(s,11)^ne(s,25))+(s&i^~s&a)+Wc[d]+e[d],l=(ne(t,2)^ne(t,13)^ne(t,22))+(t&n^t&r^n&r);c=a,a=i,i=s,s=o+u|0,o=r,r=n,n=t,t=u+l|0}return t+Xo[0]>>>0}
function Gc(e){let t=new Int32Array(64);return e.match(/.{8}/g)?.forEach((n,r)=>t[r]=Number.parseInt(n,16)),t[15]=424,t}
function zc(e,t,n,r){return e[12]=t<<24|n>>>8,e[13]=n<<24|1<<23,_c(e)>>>36-r===0}
async function Vc(e,t,n,r=()=>{}){let o=Gc(e+await V(t)),s="",i=Date.now();for(let a=0;a<Jo;a+=1)for(let c=0;;c+=1){if(zc(o,a,c,n)){s+=c.toString(16).padStart(8,"0");break}c%Uc===0&&Date.now()-i>Mc&&(r(a),await new Promise(d=>setTimeout(d)),i=Date.now())}return s}
async function Qc(e,t){let{form:n,draft:r,speech:{words:o,number:s}}=e,{work:i}=n.open;try{for(;;){let{wait:a,challenge:c}=await(await Ve(z(n,location.href),{})).json();if(!C(a,3600))return i?await Vc(c,r.body(),i,d=>t.textContent=o.working(s(d),s(Jo))):"";t.textContent=o.waiting(s(a)),await new Promise(d=>setTimeout(d,Math.min(a,10)*1e3))}}catch{return""}}
var Jc=e=>(t,n,r)=>{let{form:{open:o},speech:{words:s}}=n,i=[...o.work?[s.workTold]:[],...o.rate?[s.rateTold]:[]];return[...e(t,n,r),...i.map(a=>h(a,"hint"))]};
y({name:"open",shapes:Kc,validate:({tokens:e})=>w(e===void 0,"open"),wrap:{renderAnswers:Jc,stamp:()=>(e,t)=>t?Qc(e,t):""}});
