var Na={"groups?":[{...Ve,reports:[1]},2,Se]};
function La({questions:e}){for(let{groups:t,table:{rows:n}}of e.filter(Io)){let r=0;for(let{reports:o}of t){let[s,...i]=n.map(a=>$(a.slice(r,r+o)));w(s>0&&i.every(a=>a===s),"groups"),r+=o}w(r===n[0].length,"groups")}}
var Io=({groups:e})=>e;
function qn(e,t,n){let{groups:r,table:o}=e;if(r===void 0||!t&&n===null)return e;let[s,i,a,c]=[0,0,0,0],d=r.find(({reports:l})=>([s,i]=[i,i+l],a=$(o.rows[0].slice(s,i)),c+=a,t?t[1]<c:n<i)),u=l=>l.map((f,m)=>m>=s&&m<i?f:0);return{...e,group:d,share:[a,o.total],table:{total:a,rows:o.rows.map(u)}}}
function er({group:e,share:t},n){return e===void 0?[]:[h(n.words.groups(n.inside(e.label),ut(BigInt(t[0]),BigInt(t[1]),n)))]}
Object.assign(H.table[0],Na),b({name:"groups",detect:({questions:e})=>e.some(Io),validate:La,wrap:{resolveQuestion:()=>qn,renderHints:()=>er}});
