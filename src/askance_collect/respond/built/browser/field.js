var I={};
function Be(e,t,n,r,o){if(e.ask==="narrow")return I.narrow(e,o(),n,r);let s=e.ticks?"ticks":e.typed?"typed":e.kind;return(I[s]??us)(e,t,n,r)}
function us(e,t,n,r){let o=e.answers.map(({label:s},i)=>({index:i,label:r.text(s)}));return nt(e,n,r,{offered:o})}
function nt(e,t,n,{offered:r,before:o=[],after:s=[],exact:i}){let{words:a}=n,c=[...r,{index:null,label:a.rather}],d=t?.typed===void 0?t?.index:void 0,u=c.map(({index:N})=>ue(N===d)),l=c.map(({label:N,note:v},ne)=>Z(u[ne],N,v)),f=H(),g=l.pop();return{node:q(e,n,[...o,...l,...s,g],f),read:()=>{if(i?.radio.checked)return i.read(f);let N=c[u.findIndex(({checked:v})=>v)];if(!N)throw W(f,a.choose,u[0]);return{index:N.index}}}}
function Lt(e,t,n,r){if(!n||n.index===null)return r.words.unanswered;if(n.typed!==void 0)return I.numberLabel(e.line,n.typed,r);let o=T[e.kind];return o?.answerLabel?o.answerLabel(e,t,n,r):o?o.label(e,n.index,r):r.text(e.answers[n.index].label)}
var T={};
function He(e,t,n,r,o){if(e.ask==="narrow")return T.narrow(e,o(),n,r);let s=e.ticks?"ticks":e.typed?"typed":e.kind;return(T[s]??Os)(e,t,n,r)}
function Os(e,t,n,r){let o=e.answers.map(({label:s},i)=>({index:i,label:r.text(s)}));return ct(e,n,r,{offered:o})}
function ct(e,t,n,{offered:r,before:o=[],after:s=[],exact:i}){let{words:a}=n,c=[...r,{index:null,label:a.rather}],d=t?.typed===void 0?t?.index:void 0,u=c.map(({index:L})=>fe(L===d)),l=c.map(({label:L,note:R},ne)=>Q(u[ne],L,R)),f=P(),h=l.pop();return{node:q(e,n,[...o,...l,...s,h],f),read:()=>{if(i?.radio.checked)return i.read(f);let L=c[u.findIndex(({checked:R})=>R)];if(!L)throw U(f,a.choose,u[0]);return{index:L.index}}}}
function Bt(e,t,n,r){if(!n||n.index===null)return r.words.unanswered;if(n.typed!==void 0)return T.numberLabel(e.line,n.typed,r);let o=A[e.kind];return o?.answerLabel?o.answerLabel(e,t,n,r):o?o.label(e,n.index,r):r.text(e.answers[n.index].label)}
