function Hl({table:{rows:e}},{words:t,number:n}){let[r,o]=[1n,1n];for(let i of e[0].keys()){let a=e.map(u=>u[i]),[c,d]=[Ie(a),-Ie(a.map(u=>-u))].map(BigInt);c*o>r*d&&([r,o]=[c,d])}if(o===0n)return;let s=r>o?Math.ceil(1e3*Math.log(Number(r)/Number(o))+1e-9)/1e3:0;return t.ratio(n(Qt(r,o,3)),n(s))}
E.worstRatio=Hl;
