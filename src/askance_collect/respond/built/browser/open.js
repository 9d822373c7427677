var rs=16,
rd=40,
od=512,
ln=[];
for(let e=2;ln.length<64;e+=1)ln.every(t=>e%t)&&ln.push(e);
var os=e=>ln.map(t=>t**e%1*2**32|0),
[sd,ss]=[os(1/3),os(1/2).slice(0,8)],
se=(e,t)=>e>>>t|e<<32-t,
id={open:v({"work?":[8,24],"rate?":[1,1e6]})};
function ad(e){for(let d=16;d<64;d+=1){let[u,l]=[e[d-2],e[d-15]],f=se(u,17)^se(u,19)^u>>>10,p=se(l,7)^se(l,18)^l>>>3;e[d]=f+e[d-7]+p+e[d-16]}let[t,n,r,o,s,i,a,c]=ss;for(let d=0;d<64;d+=1){let u=c+(se(s,6)^se(s,11)^se(s,25))+(s&i^~s&a)+sd[d]+e[d],l=(se(t,2)^se(t,13)^se(t,22))+(t&n^t&r^n&r);c=a,a=i,i=s,s=o+u|0,o=r,r=n,n=t,t=u+l|0}return t+ss[0]>>>0}
function cd(e){let t=new Int32Array(64);return e.match(/.{8}/g)?.forEach((n,r)=>t[r]=Number.parseInt(n,16)),t[15]=424,t}
function dd(e,t,n,r){return e[12]=t<<24|n>>>8,e[13]=n<<24|1<<23,ad(e)>>>36-r===0}
async function ld(e,t,n,r=()=>{}){let o=cd(e+await J(t)),s="",i=Date.now();for(let a=0;a<rs;a+=1)for(let c=0;;c+=1){if(dd(o,a,c,n)){s+=c.toString(16).padStart(8,"0");break}c%od===0&&Date.now()-i>rd&&(r(a),await new Promise(d=>setTimeout(d)),i=Date.now())}return s}
async function ud(e,t){let{form:n,draft:r,speech:{words:o,number:s}}=e,{work:i}=n.open;try{for(;;){let{wait:a,challenge:c}=await(await Qe(Q(n,location.href),{})).json();if(!C(a,3600))return i?await ld(c,r.body(),i,d=>t.textContent=o.working(s(d),s(rs))):"";t.textContent=o.waiting(s(a)),await new Promise(d=>setTimeout(d,Math.min(a,10)*1e3))}}catch{return""}}
var fd=e=>(t,n,r)=>{let{form:{open:o},speech:{words:s}}=n,i=[...o.work?[s.workTold]:[],...o.rate?[s.rateTold]:[]];return[...e(t,n,r),...i.map(a=>h(a,"hint"))]};
b({name:"open",shapes:id,validate:({tokens:e})=>w(e===void 0,"open"),wrap:{renderAnswers:fd,stamp:()=>(e,t)=>t?ud(e,t):""}});
