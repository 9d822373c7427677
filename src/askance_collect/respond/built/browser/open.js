var Xo=16,
Jc=40,
Zc=512,
cn=[];
for(let e=2;cn.length<64;e+=1)cn.every(t=>e%t)&&cn.push(e);
var Yo=e=>cn.map(t=>t**e%1*2**32|0),
[Xc,qo]=[Yo(1/3),Yo(1/2).slice(0,8)],
re=(e,t)=>e>>>t|e<<32-t,
Yc={open:j({"work?":[8,24],"rate?":[1,1e6]})};
function qc(e){for(let d=16;d<64;d+=1){let[u,l]=[e[d-2],e[d-15]],f=re(u,17)^re(u,19)^u>>>10,m=re(l,7)^re(l,18)^l>>>3;e[d]=f+e[d-7]+m+e[d-16]}let[t,n,r,o,s,i,a,c]=qo;for(let d=0;d<64;d+=1){let u=c+(re(s,6)^re(s,11)^re(s,25))+(s&i^~s&a)+Xc[d]+e[d],l=(re(t,2)^re(t,13)^re(t,22))+(t&n^t&r^n&r);c=a,a=i,i=s,s=o+u|0,o=r,r=n,n=t,t=u+l|0}return t+qo[0]>>>0}
function ed(e){let t=new Int32Array(64);return e.match(/.{8}/g)?.forEach((n,r)=>t[r]=Number.parseInt(n,16)),t[15]=424,t}
function td(e,t,n,r){return e[12]=t<<24|n>>>8,e[13]=n<<24|1<<23,qc(e)>>>36-r===0}
async function nd(e,t,n,r=()=>{}){let o=ed(e+await J(t)),s="",i=Date.now();for(let a=0;a<Xo;a+=1)for(let c=0;;c+=1){if(td(o,a,c,n)){s+=c.toString(16).padStart(8,"0");break}c%Zc===0&&Date.now()-i>Jc&&(r(a),await new Promise(d=>setTimeout(d)),i=Date.now())}return s}
async function rd(e,t){let{form:n,draft:r,speech:{words:o,number:s}}=e,{work:i}=n.open;try{for(;;){let{wait:a,challenge:c}=await(await Qe(Q(n,location.href),{})).json();if(!C(a,3600))return i?await nd(c,r.body(),i,d=>t.textContent=o.working(s(d),s(Xo))):"";t.textContent=o.waiting(s(a)),await new Promise(d=>setTimeout(d,Math.min(a,10)*1e3))}}catch{return""}}
var od=e=>(t,n,r)=>{let{form:{open:o},speech:{words:s}}=n,i=[...o.work?[s.workTold]:[],...o.rate?[s.rateTold]:[]];return[...e(t,n,r),...i.map(a=>h(a,"hint"))]};
b({name:"open",shapes:Yc,validate:({tokens:e})=>w(e===void 0,"open"),wrap:{renderAnswers:od,stamp:()=>(e,t)=>t?rd(e,t):""}});
