var I={};
function be(e,t,n,r,o){if(e.ask==="narrow")return I.narrow(e,o(),n,r);let s=e.ticks?"ticks":e.typed?"typed":e.kind;return(I[s]??Gs)(e,t,n,r)}
function Gs(e,t,n,r){let o=e.answers.map(({label:s},i)=>({index:i,label:r.text(s)}));return ut(e,n,r,{offered:o})}
function ut(e,t,n,{offered:r,before:o=[],after:s=[],exact:i}){let{words:a}=n,c=[...r,{index:null,label:a.rather}],d=t?.typed===void 0?t?.index:void 0,u=c.map(({index:N})=>ge(N===d)),l=c.map(({label:N,note:R},oe)=>X(u[oe],N,R)),f=F(),m=l.pop();return{node:te([...o,...l,...s,m??""],f,"radiogroup"),read:()=>{if(i?.radio.checked)return i.read(f);let N=c[u.findIndex(({checked:R})=>R)];if(!N)throw D(f,a.choose,u[0]);return{index:N.index}}}}
function Ft(e,t,n,r){if(!n||n.index===null)return r.words.unanswered;if(n.typed!==void 0)return I.numberLabel(e.line,n.typed,r);let o=O[e.kind];return o?.answerLabel?o.answerLabel(e,t,n,r):o?o.label(e,n.index,r):r.text(e.answers[n.index].label)}
