var uo=16,
Qa=40,
Ja=512,
Gt=[];
for(let e=2;Gt.length<64;e+=1)Gt.every(t=>e%t)&&Gt.push(e);
var fo=e=>Gt.map(t=>t**e%1*2**32|0),
[Za,po]=[fo(1/3),fo(1/2).slice(0,8)],
ee=(e,t)=>e>>>t|e<<32-t;
function Ya({open:e,tokens:t}){p(P(e)&&t===void 0,"open");let{work:n=8,rate:r=1,...o}=e;p(Object.keys(e).length>0&&Object.keys(o).length===0,"open"),p(y(n,25)&&n>=8&&y(r,1000001)&&r>0,"open")}
function Xa(e){for(let d=16;d<64;d+=1){let[u,l]=[e[d-2],e[d-15]],f=ee(u,17)^ee(u,19)^u>>>10,g=ee(l,7)^ee(l,18)^l>>>3;e[d]=f+e[d-7]+g+e[d-16]}let[t,n,r,o,s,i,a,c]=po;for(let d=0;d<64;d+=1){let u=c+(ee(s,6)^ee(s,11)^ee(s,25))+(s&i^~s&a)+Za[d]+e[d],l=(ee(t,2)^ee(t,13)^ee(t,22))+(t&n^t&r^n&r);c=a,a=i,i=s,s=o+u|0,o=r,r=n,n=t,t=u+l|0}return t+po[0]>>>0}
function qa(e){let t=new Int32Array(64);return e.match(/.{8}/g)?.forEach((n,r)=>t[r]=Number.parseInt(n,16)),t[15]=424,t}
function ec(e,t,n,r){return e[12]=t<<24|n>>>8,e[13]=n<<24|1<<23,Xa(e)>>>36-r===0}
async function tc(e,t,n,r=()=>{}){let o=qa(e+await V(t)),s="",i=Date.now();for(let a=0;a<uo;a+=1)for(let c=0;;c+=1){if(ec(o,a,c,n)){s+=c.toString(16).padStart(8,"0");break}c%Ja===0&&Date.now()-i>Qa&&(r(a),await new Promise(d=>setTimeout(d)),i=Date.now())}return s}
async function nc(e,t){let{form:n,draft:r,speech:{words:o,number:s}}=e,{work:i}=n.open;try{for(;;){let{wait:a,challenge:c}=await(await Be(z(n,location.href),{})).json();if(!y(a,3600))return i?await tc(c,r.body(),i,d=>t.textContent=o.working(s(d),s(uo))):"";t.textContent=o.waiting(s(a)),await new Promise(d=>setTimeout(d,Math.min(a,10)*1e3))}}catch{return""}}
var rc=e=>(t,n,r)=>{let{form:{open:o},speech:{words:s}}=n,i=[...o.work?[s.workTold]:[],...o.rate?[s.rateTold]:[]];return[...e(t,n,r),...i.map(a=>h(a,"hint"))]};
k({name:"open",detect:({open:e})=>e!==void 0,validate:Ya,wrap:{renderAnswers:rc,stamp:()=>(e,t)=>t?nc(e,t):""}});
