function Wr({answers:e,reports:t,table:{rows:n}}){let[r]=n,o=(i,a)=>r[a<n.length?+(a!==i):a],s=(i,a)=>t[a]?.name===e[a].name&&i.every((c,d)=>c===o(a,d));return n.length>2&&n.every(s)}
var qs=(e,t,n,r)=>r.alike(e,t,n.map(o=>`, ${o}`).join(""));
function ei(e,{words:t,inside:n}){if(!Wr(e))return;let{reports:r,table:{rows:o}}=e,[s,{length:i}]=[o[0],o],a=[...r.keys()].filter(d=>d>=i&&s[d]>0),c=[s[0],$(s.slice(1,i)),...a.map(d=>s[d])];return[[t.itself,t.another,...a.map(d=>n(r[d].label))],[c]]}
E.treatsAlike=Wr,E.alikeText=qs,E.groupAlike=ei;
