function R(e){let t=Object.keys(e).map(n=>n.replace("?",""));return(n,r)=>le(n,e,r)&&Object.keys(n).length>0&&Object.keys(n).every(o=>t.includes(o))}
function dn(e,t){return(n,r)=>{let o=Ke(n)?Object.keys(n):[];return o.length>0&&o.every(s=>(t?.test(s)??!0)&&le(n[s],e,r))}}
