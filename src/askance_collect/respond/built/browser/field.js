var N={};
function xe(e,t,n,r,o){if(e.ask==="narrow")return N.narrow(e,o(),n,r);let s=e.ticks?"ticks":e.typed?"typed":e.kind;return(N[s]??Nn)(e,t,n,r)}
function Nn(e,t,n,r){let o=e.answers.map(({label:s},i)=>({index:i,label:r.text(s)}));return _e(e,n,r,{offered:o})}
function _e(e,t,n,{offered:r,before:o=[],after:s=[],exact:i}){let{words:a}=n,c=[...r,{index:null,label:a.rather}],d=t?.typed===void 0?t?.index:void 0,u=c.map(({index:L})=>ye(L===d)),l=c.map(({label:L,note:j},ae)=>X(u[ae],L,j)),f=M(),m=l.pop();return{node:ne([...o,...l,...s,m??""],f,"radiogroup"),read:()=>{if(i?.radio.checked)return i.read(f);let L=c[u.findIndex(({checked:j})=>j)];if(!L)throw D(f,a.choose,u[0]);return{index:L.index}}}}
function Dt(e,t,n,r){if(!n||n.index===null)return r.words.unanswered;if(n.typed!==void 0)return N.numberLabel(e.line,n.typed,r);let o=S[e.kind];return o?.answerLabel?o.answerLabel(e,t,n,r):o?o.label(e,n.index,r):r.text(e.answers[n.index].label)}
