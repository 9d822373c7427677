function j(e){let t=Object.keys(e).map(n=>n.replace("?",""));return(n,r)=>ee(n,e,r)&&Object.keys(n).length>0&&Object.keys(n).every(o=>t.includes(o))}
function qt(e,t){return(n,r)=>{let o=ge(n)?Object.keys(n):[];return o.length>0&&o.every(s=>(t?.test(s)??!0)&&ee(n[s],e,r))}}
