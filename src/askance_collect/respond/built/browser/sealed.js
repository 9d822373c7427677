var bs="askance-text-1",
Tl=/^askance-text-1\.(x25519|p256)\.([\w-]+)$/,
Ll=16,
Il=3,
$l={...ne,limit:[1,2e3],lines:[1,20],"beside?":!0},
et=e=>e?.kind==="sealed",
ys=({limit:e})=>Il*e,
ks=({from:e,to:t},n)=>t-e+ys(n)+Ll;
function Cl(e,t){let n=new Uint8Array(ys(e)).fill(32);return n.set(oe(t)),n}
var Or=new Map;
O.sealed={maxLength:e=>Math.max(...sn.map(t=>`"${bs}.${t.name}."`.length+Math.ceil(ks(t,e)*4/3))),isValid(e,t){let[,n,r]=Tl.exec(typeof t=="string"?t:"")??[],o=sn.find(i=>i.name===n);if(!o||r.length%4===1)return!1;let s=sr(r);return s.length===ks(o,e)&&or(s)===r},encode({name:e}){let t=Or.get(e);if(t)return t;throw new RangeError(`answers.${e}: allowed: a text that was sealed`)},label:(e,t,{words:n})=>n.sealedRecord,answerLabel:(e,t,{index:n},{language:r,inside:o})=>o({[r]:n})},M.sealed=[$l];
var xs=e=>({...e,words:{...e.words,ownHint:e.words.sealedHint}});
I.sealed=(e,t,n,r)=>I.text(e,t,n,xs(r));
var Ss=new Set,
Rl=e=>(t,n,r)=>{let{words:o}=n;if(et(t))return[h(o.sealed,"badge guarded"),r];let s=()=>[h(o.plain,"badge open"),h(o.plainHint,"hint"),r];return e(t,n,r)??(Ss.has(t.name)?s():void 0)},
jl=e=>(t,n)=>e(t,n).map(r=>{if([r.question??-2,(r.question??-2)+1].filter(i=>n.questions[i]?.beside&&et(n.questions[i])).length===0)return r;let s=i=>r.screen.render(K(i,{speech:xs(i.speech)}));return{...r,screen:{...r.screen,render:s}}}),
vl=e=>(t,n,r)=>et(t)?r.words.sealed:e?.(t,n,r);
N.proofText=vl(N.proofText);
var Bl=e=>t=>{e(t);let{form:n,fingerprint:r,draft:o}=t,{bind:s}=o;n.questions.forEach(({name:c},d)=>et(n.questions[d-1])&&!n.questions[d-1].beside&&Ss.add(c));let i=[...n.questions.keys()].filter(c=>et(n.questions[c])),a=Promise.all(i.map(c=>ir(n.seal,bs,r,n.questions[c].name)));a.then(c=>c.includes(null)&&t.endVisit("unsealed")),o.bind=async()=>{let c=await a;for(let[d,u]of i.entries()){let[l,f,p]=[o.answer(u)?.index,c[d],n.questions[u]];l&&f&&Or.set(p.name,await f(Cl(p,l)))}s(),Or.clear()},t.bind=async()=>{await o.bind(),t.show()}};
b({name:"sealed",detect:({questions:e})=>e.some(et),validate(e){Wn(e),w(e.seal!==void 0,"seal")},wrap:{renderCoin:Rl,arrangeSteps:jl,openVisit:Bl}});
