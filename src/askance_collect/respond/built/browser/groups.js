function Bi(e,{rows:[t,...n]},r){Oe(e,r,"groups");let o=0,s=({reports:i})=>{let a=d=>C(d.slice(o,o+i)),c=y(i-1,t.length)&&a(t)>0&&n.every(d=>a(d)===a(t));return o+=i,c};return e.every(s)&&o===t.length}
function Tn(e,t,n){let{groups:r,table:o}=e;if(r===void 0||!t&&n===null)return e;let[s,i,a,c]=[0,0,0,0],d=r.find(({reports:l})=>([s,i]=[i,i+l],a=C(o.rows[0].slice(s,i)),c+=a,t?t[1]<c:n<i)),u=l=>l.map((f,g)=>g>=s&&g<i?f:0);return{...e,group:d,share:[a,o.total],table:{total:a,rows:o.rows.map(u)}}}
function $n({group:e,share:t},n){return e===void 0?[]:[h(n.words.groups(n.inside(e.label),Xe(BigInt(t[0]),BigInt(t[1]),n)))]}
k({name:"groups",detect:({questions:e})=>e.some(({groups:t})=>t),wrap:{validateGroups:()=>Bi,resolveQuestion:()=>Tn,renderHints:()=>$n}});
var ca={"groups?":[{...Fe,reports:[1]},2,me]};
function da({questions:e}){for(let{groups:t,table:{rows:n}}of e.filter(po)){let r=0;for(let{reports:o}of t){let[s,...i]=n.map(a=>I(a.slice(r,r+o)));b(s>0&&i.every(a=>a===s),"groups"),r+=o}b(r===n[0].length,"groups")}}
var po=({groups:e})=>e;
function la(e,t,n){let{groups:r,table:o}=e;if(r===void 0||!t&&n===null)return e;let[s,i,a,c]=[0,0,0,0],d=r.find(({reports:l})=>([s,i]=[i,i+l],a=I(o.rows[0].slice(s,i)),c+=a,t?t[1]<c:n<i)),u=l=>l.map((f,h)=>h>=s&&h<i?f:0);return{...e,group:d,share:[a,o.total],table:{total:a,rows:o.rows.map(u)}}}
function Un({group:e,share:t},n){return e===void 0?[]:[m(n.words.groups(n.inside(e.label),ot(BigInt(t[0]),BigInt(t[1]),n)))]}
Object.assign(F.table[0],ca),y({name:"groups",detect:({questions:e})=>e.some(po),validate:da,wrap:{resolveQuestion:()=>la,renderHints:()=>Un}});
