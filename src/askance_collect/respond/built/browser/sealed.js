var Os="askance-text-1",
Wl=/^askance-text-1\.(x25519|p256)\.([\w-]+)$/,
_l=16,
Kl=3,
Gl={...re,limit:[1,2e3],lines:[1,20],"beside?":!0},
nt=e=>e?.kind==="sealed",
As=({limit:e})=>Kl*e,
Es=({from:e,to:t},n)=>t-e+As(n)+_l;
function zl(e,t){let n=new Uint8Array(As(e)).fill(32);return n.set(se(t)),n}
var Or=new Map;
S.sealed={maxLength:e=>Math.max(...cn.map(t=>`"${Os}.${t.name}."`.length+Math.ceil(Es(t,e)*4/3))),isValid(e,t){let[,n,r]=Wl.exec(typeof t=="string"?t:"")??[],o=cn.find(i=>i.name===n);if(!o||r.length%4===1)return!1;let s=or(r);return s.length===Es(o,e)&&rr(s)===r},encode({name:e}){let t=Or.get(e);if(t)return t;throw new RangeError(`answers.${e}: allowed: a text that was sealed`)},label:(e,t,{words:n})=>n.sealedRecord,answerLabel:(e,t,{index:n},{language:r,inside:o})=>o({[r]:n})},H.sealed=[Gl];
var Ts=e=>({...e,words:{...e.words,ownHint:e.words.sealedHint}});
N.sealed=(e,t,n,r)=>N.text(e,t,n,Ts(r));
var Ns=new Set,
Vl=e=>(t,n,r)=>{let{words:o}=n;if(nt(t))return[h(o.sealed,"badge guarded"),r];let s=()=>[h(o.plain,"badge open"),h(o.plainHint,"hint"),r];return e(t,n,r)??(Ns.has(t.name)?s():void 0)},
Ql=e=>(t,n)=>e(t,n).map(r=>{if([r.question??-2,(r.question??-2)+1].filter(i=>n.questions[i]?.beside&&nt(n.questions[i])).length===0)return r;let s=i=>r.screen.render(G(i,{speech:Ts(i.speech)}));return{...r,screen:{...r.screen,render:s}}}),
Jl=e=>(t,n,r)=>nt(t)?r.words.sealed:e?.(t,n,r);
E.proofText=Jl(E.proofText);
var Zl=e=>t=>{e(t);let{form:n,fingerprint:r,draft:o}=t,{bind:s}=o;n.questions.forEach(({name:c},d)=>nt(n.questions[d-1])&&!n.questions[d-1].beside&&Ns.add(c));let i=[...n.questions.keys()].filter(c=>nt(n.questions[c])),a=Promise.all(i.map(c=>sr(n.seal,Os,r,n.questions[c].name)));a.then(c=>c.includes(null)&&t.endVisit("unsealed")),o.bind=async()=>{let c=await a;for(let[d,u]of i.entries()){let[l,f,m]=[o.answer(u)?.index,c[d],n.questions[u]];l&&f&&Or.set(m.name,await f(zl(m,l)))}s(),Or.clear()},t.bind=async()=>{await o.bind(),t.show()}};
b({name:"sealed",detect:({questions:e})=>e.some(nt),validate(e){Gn(e),w(e.seal!==void 0,"seal")},wrap:{renderCoin:Vl,arrangeSteps:Ql,openVisit:Zl}});
