var I={};
function ke(e,t,n,r,o){if(e.ask==="narrow")return I.narrow(e,o(),n,r);let s=e.ticks?"ticks":e.typed?"typed":e.kind;return(I[s]??ni)(e,t,n,r)}
function ni(e,t,n,r){let o=e.answers.map(({label:s},i)=>({index:i,label:r.text(s)}));return ft(e,n,r,{offered:o})}
function ft(e,t,n,{offered:r,before:o=[],after:s=[],exact:i}){let{words:a}=n,c=[...r,{index:null,label:a.rather}],d=t?.typed===void 0?t?.index:void 0,u=c.map(({index:T})=>be(T===d)),l=c.map(({label:T,note:R},ie)=>X(u[ie],T,R)),f=F(),p=l.pop();return{node:te([...o,...l,...s,p??""],f,"radiogroup"),read:()=>{if(i?.radio.checked)return i.read(f);let T=c[u.findIndex(({checked:R})=>R)];if(!T)throw D(f,a.choose,u[0]);return{index:T.index}}}}
function Mt(e,t,n,r){if(!n||n.index===null)return r.words.unanswered;if(n.typed!==void 0)return I.numberLabel(e.line,n.typed,r);let o=O[e.kind];return o?.answerLabel?o.answerLabel(e,t,n,r):o?o.label(e,n.index,r):r.text(e.answers[n.index].label)}
