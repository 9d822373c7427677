var Ss="askance-text-1",
Fl=/^askance-text-1\.(x25519|p256)\.([\w-]+)$/,
Ml=16,
Dl=3,
Ul={...ne,limit:[1,2e3],lines:[1,20],"beside?":!0},
nt=e=>e?.kind==="sealed",
Os=({limit:e})=>Dl*e,
As=({from:e,to:t},n)=>t-e+Os(n)+Ml;
function Wl(e,t){let n=new Uint8Array(Os(e)).fill(32);return n.set(oe(t)),n}
var Er=new Map;
A.sealed={maxLength:e=>Math.max(...sn.map(t=>`"${Ss}.${t.name}."`.length+Math.ceil(As(t,e)*4/3))),isValid(e,t){let[,n,r]=Fl.exec(typeof t=="string"?t:"")??[],o=sn.find(i=>i.name===n);if(!o||r.length%4===1)return!1;let s=ir(r);return s.length===As(o,e)&&sr(s)===r},encode({name:e}){let t=Er.get(e);if(t)return t;throw new RangeError(`answers.${e}: allowed: a text that was sealed`)},label:(e,t,{words:n})=>n.sealedRecord,answerLabel:(e,t,{index:n},{language:r,inside:o})=>o({[r]:n})},H.sealed=[Ul];
var Es=e=>({...e,words:{...e.words,ownHint:e.words.sealedHint}});
T.sealed=(e,t,n,r)=>T.text(e,t,n,Es(r));
var Ns=new Set,
_l=e=>(t,n,r)=>{let{words:o}=n;if(nt(t))return[h(o.sealed,"badge guarded"),r];let s=()=>[h(o.plain,"badge open"),h(o.plainHint,"hint"),r];return e(t,n,r)??(Ns.has(t.name)?s():void 0)},
Kl=e=>(t,n)=>e(t,n).map(r=>{if([r.question??-2,(r.question??-2)+1].filter(i=>n.questions[i]?.beside&&nt(n.questions[i])).length===0)return r;let s=i=>r.screen.render(K(i,{speech:Es(i.speech)}));return{...r,screen:{...r.screen,render:s}}}),
Gl=e=>(t,n,r)=>nt(t)?r.words.sealed:e?.(t,n,r);
E.proofText=Gl(E.proofText);
var zl=e=>t=>{e(t);let{form:n,fingerprint:r,draft:o}=t,{bind:s}=o;n.questions.forEach(({name:c},d)=>nt(n.questions[d-1])&&!n.questions[d-1].beside&&Ns.add(c));let i=[...n.questions.keys()].filter(c=>nt(n.questions[c])),a=Promise.all(i.map(c=>ar(n.seal,Ss,r,n.questions[c].name)));a.then(c=>c.includes(null)&&t.endVisit("unsealed")),o.bind=async()=>{let c=await a;for(let[d,u]of i.entries()){let[l,f,m]=[o.answer(u)?.index,c[d],n.questions[u]];l&&f&&Er.set(m.name,await f(Wl(m,l)))}s(),Er.clear()},t.bind=async()=>{await o.bind(),t.show()}};
b({name:"sealed",detect:({questions:e})=>e.some(nt),validate(e){_n(e),w(e.seal!==void 0,"seal")},wrap:{renderCoin:_l,arrangeSteps:Kl,openVisit:zl}});
