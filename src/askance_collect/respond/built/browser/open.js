var _o=16,
Lc=40,
Ic=512,
nn=[];
for(let e=2;nn.length<64;e+=1)nn.every(t=>e%t)&&nn.push(e);
var Go=e=>nn.map(t=>t**e%1*2**32|0),
[Cc,zo]=[Go(1/3),Go(1/2).slice(0,8)],
re=(e,t)=>e>>>t|e<<32-t,
$c={open:j({"work?":[8,24],"rate?":[1,1e6]})};
function Rc(e){for(let d=16;d<64;d+=1){let[u,l]=[e[d-2],e[d-15]],f=re(u,17)^re(u,19)^u>>>10,m=re(l,7)^re(l,18)^l>>>3;e[d]=f+e[d-7]+m+e[d-16]}let[t,n,r,o,s,i,a,c]=zo;for(let d=0;d<64;d+=1){let u=c+(re(s,6)^re(s,11)^re(s,25))+(s&i^~s&a)+Cc[d]+e[d],l=(re(t,2)^re(t,13)^re(t,22))+(t&n^t&r^n&r);c=a,a=i,i=s,s=o+u|0,o=r,r=n,n=t,t=u+l|0}return t+zo[0]>>>0}
function vc(e){let t=new Int32Array(64);return e.match(/.{8}/g)?.forEach((n,r)=>t[r]=Number.parseInt(n,16)),t[15]=424,t}
function jc(e,t,n,r){return e[12]=t<<24|n>>>8,e[13]=n<<24|1<<23,Rc(e)>>>36-r===0}
async function Bc(e,t,n,r=()=>{}){let o=vc(e+await V(t)),s="",i=Date.now();for(let a=0;a<_o;a+=1)for(let c=0;;c+=1){if(jc(o,a,c,n)){s+=c.toString(16).padStart(8,"0");break}c%Ic===0&&Date.now()-i>Lc&&(r(a),await new Promise(d=>setTimeout(d)),i=Date.now())}return s}
async function Hc(e,t){let{form:n,draft:r,speech:{words:o,number:s}}=e,{work:i}=n.open;try{for(;;){let{wait:a,challenge:c}=await(await _e(z(n,location.href),{})).json();if(!$(a,3600))return i?await Bc(c,r.body(),i,d=>t.textContent=o.working(s(d),s(_o))):"";t.textContent=o.waiting(s(a)),await new Promise(d=>setTimeout(d,Math.min(a,10)*1e3))}}catch{return""}}
var Pc=e=>(t,n,r)=>{let{form:{open:o},speech:{words:s}}=n,i=[...o.work?[s.workTold]:[],...o.rate?[s.rateTold]:[]];return[...e(t,n,r),...i.map(a=>h(a,"hint"))]};
y({name:"open",shapes:$c,validate:({tokens:e})=>b(e===void 0,"open"),wrap:{renderAnswers:Pc,stamp:()=>(e,t)=>t?Hc(e,t):""}});
