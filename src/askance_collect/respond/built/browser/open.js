var yo=16,
ac=40,
cc=512,
Vt=[];
for(let e=2;Vt.length<64;e+=1)Vt.every(t=>e%t)&&Vt.push(e);
var ko=e=>Vt.map(t=>t**e%1*2**32|0),
[dc,xo]=[ko(1/3),ko(1/2).slice(0,8)],
te=(e,t)=>e>>>t|e<<32-t;
function lc({open:e,tokens:t}){p(P(e)&&t===void 0,"open");let{work:n=8,rate:r=1,...o}=e;p(Object.keys(e).length>0&&Object.keys(o).length===0,"open"),p(y(n,25)&&n>=8&&y(r,1000001)&&r>0,"open")}
function uc(e){for(let d=16;d<64;d+=1){let[u,l]=[e[d-2],e[d-15]],f=te(u,17)^te(u,19)^u>>>10,g=te(l,7)^te(l,18)^l>>>3;e[d]=f+e[d-7]+g+e[d-16]}let[t,n,r,o,s,i,a,c]=xo;for(let d=0;d<64;d+=1){let u=c+(te(s,6)^te(s,11)^te(s,25))+(s&i^~s&a)+dc[d]+e[d],l=(te(t,2)^te(t,13)^te(t,22))+(t&n^t&r^n&r);c=a,a=i,i=s,s=o+u|0,o=r,r=n,n=t,t=u+l|0}return t+xo[0]>>>0}
function fc(e){let t=new Int32Array(64);return e.match(/.{8}/g)?.forEach((n,r)=>t[r]=Number.parseInt(n,16)),t[15]=424,t}
function pc(e,t,n,r){return e[12]=t<<24|n>>>8,e[13]=n<<24|1<<23,uc(e)>>>36-r===0}
async function mc(e,t,n,r=()=>{}){let o=fc(e+await Q(t)),s="",i=Date.now();for(let a=0;a<yo;a+=1)for(let c=0;;c+=1){if(pc(o,a,c,n)){s+=c.toString(16).padStart(8,"0");break}c%cc===0&&Date.now()-i>ac&&(r(a),await new Promise(d=>setTimeout(d)),i=Date.now())}return s}
async function hc(e,t){let{form:n,draft:r,speech:{words:o,number:s}}=e,{work:i}=n.open;try{for(;;){let{wait:a,challenge:c}=await(await Me(V(n,location.href),{})).json();if(!y(a,3600))return i?await mc(c,r.body(),i,d=>t.textContent=o.working(s(d),s(yo))):"";t.textContent=o.waiting(s(a)),await new Promise(d=>setTimeout(d,Math.min(a,10)*1e3))}}catch{return""}}
var gc=e=>(t,n,r)=>{let{form:{open:o},speech:{words:s}}=n,i=[...o.work?[s.workTold]:[],...o.rate?[s.rateTold]:[]];return[...e(t,n,r),...i.map(a=>h(a,"hint"))]};
k({name:"open",detect:({open:e})=>e!==void 0,validate:lc,wrap:{renderAnswers:gc,stamp:()=>(e,t)=>t?hc(e,t):""}});
var $o=16,
gc=40,
wc=512,
tn=[];
for(let e=2;tn.length<64;e+=1)tn.every(t=>e%t)&&tn.push(e);
var Ro=e=>tn.map(t=>t**e%1*2**32|0),
[bc,jo]=[Ro(1/3),Ro(1/2).slice(0,8)],
te=(e,t)=>e>>>t|e<<32-t,
yc={open:B({"work?":[8,24],"rate?":[1,1e6]})};
function kc(e){for(let d=16;d<64;d+=1){let[u,l]=[e[d-2],e[d-15]],f=te(u,17)^te(u,19)^u>>>10,h=te(l,7)^te(l,18)^l>>>3;e[d]=f+e[d-7]+h+e[d-16]}let[t,n,r,o,s,i,a,c]=jo;for(let d=0;d<64;d+=1){let u=c+(te(s,6)^te(s,11)^te(s,25))+(s&i^~s&a)+bc[d]+e[d],l=(te(t,2)^te(t,13)^te(t,22))+(t&n^t&r^n&r);c=a,a=i,i=s,s=o+u|0,o=r,r=n,n=t,t=u+l|0}return t+jo[0]>>>0}
function xc(e){let t=new Int32Array(64);return e.match(/.{8}/g)?.forEach((n,r)=>t[r]=Number.parseInt(n,16)),t[15]=424,t}
function Sc(e,t,n,r){return e[12]=t<<24|n>>>8,e[13]=n<<24|1<<23,kc(e)>>>36-r===0}
async function Oc(e,t,n,r=()=>{}){let o=xc(e+await z(t)),s="",i=Date.now();for(let a=0;a<$o;a+=1)for(let c=0;;c+=1){if(Sc(o,a,c,n)){s+=c.toString(16).padStart(8,"0");break}c%wc===0&&Date.now()-i>gc&&(r(a),await new Promise(d=>setTimeout(d)),i=Date.now())}return s}
async function Ac(e,t){let{form:n,draft:r,speech:{words:o,number:s}}=e,{work:i}=n.open;try{for(;;){let{wait:a,challenge:c}=await(await Ue(G(n,location.href),{})).json();if(!C(a,3600))return i?await Oc(c,r.body(),i,d=>t.textContent=o.working(s(d),s($o))):"";t.textContent=o.waiting(s(a)),await new Promise(d=>setTimeout(d,Math.min(a,10)*1e3))}}catch{return""}}
var Ec=e=>(t,n,r)=>{let{form:{open:o},speech:{words:s}}=n,i=[...o.work?[s.workTold]:[],...o.rate?[s.rateTold]:[]];return[...e(t,n,r),...i.map(a=>m(a,"hint"))]};
y({name:"open",shapes:yc,validate:({tokens:e})=>b(e===void 0,"open"),wrap:{renderAnswers:Ec,stamp:()=>(e,t)=>t?Ac(e,t):""}});
