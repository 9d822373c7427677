var us=16,
Sd=40,
Od=512,
pn=[];
for(let e=2;pn.length<64;e+=1)pn.every(t=>e%t)&&pn.push(e);
var fs=e=>pn.map(t=>t**e%1*2**32|0),
[Ad,ps]=[fs(1/3),fs(1/2).slice(0,8)],
ie=(e,t)=>e>>>t|e<<32-t,
Ed={open:R({"work?":[8,24],"rate?":[1,1e6]})};
function Td(e){for(let d=16;d<64;d+=1){let[u,l]=[e[d-2],e[d-15]],f=ie(u,17)^ie(u,19)^u>>>10,m=ie(l,7)^ie(l,18)^l>>>3;e[d]=f+e[d-7]+m+e[d-16]}let[t,n,r,o,s,i,a,c]=ps;for(let d=0;d<64;d+=1){let u=c+(ie(s,6)^ie(s,11)^ie(s,25))+(s&i^~s&a)+Ad[d]+e[d],l=(ie(t,2)^ie(t,13)^ie(t,22))+(t&n^t&r^n&r);c=a,a=i,i=s,s=o+u|0,o=r,r=n,n=t,t=u+l|0}return t+ps[0]>>>0}
function Nd(e){let t=new Int32Array(64);return e.match(/.{8}/g)?.forEach((n,r)=>t[r]=Number.parseInt(n,16)),t[15]=424,t}
function Ld(e,t,n,r){return e[12]=t<<24|n>>>8,e[13]=n<<24|1<<23,Td(e)>>>36-r===0}
async function Id(e,t,n,r=()=>{}){let o=Nd(e+await J(t)),s="",i=Date.now();for(let a=0;a<us;a+=1)for(let c=0;;c+=1){if(Ld(o,a,c,n)){s+=c.toString(16).padStart(8,"0");break}c%Od===0&&Date.now()-i>Sd&&(r(a),await new Promise(d=>setTimeout(d)),i=Date.now())}return s}
async function $d(e,t){let{form:n,draft:r,speech:{words:o,number:s}}=e,{work:i}=n.open;try{for(;;){let{wait:a,challenge:c}=await(await Ze(Q(n,location.href),{})).json();if(!C(a,3600))return i?await Id(c,r.body(),i,d=>t.textContent=o.working(s(d),s(us))):"";t.textContent=o.waiting(s(a)),await new Promise(d=>setTimeout(d,Math.min(a,10)*1e3))}}catch{return""}}
var Cd=e=>(t,n,r)=>{let{form:{open:o},speech:{words:s}}=n,i=[...o.work?[s.workTold]:[],...o.rate?[s.rateTold]:[]];return[...e(t,n,r),...i.map(a=>h(a,"hint"))]};
b({name:"open",shapes:Ed,validate:({tokens:e})=>w(e===void 0,"open"),wrap:{renderAnswers:Cd,stamp:()=>(e,t)=>t?$d(e,t):""}});
