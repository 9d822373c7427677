var Oo=e=>Object.hasOwn(e,"assigned"),
$a={"assigned?":"invitation"};
function Ra({questions:e}){for(let{groups:t,table:n}of e.filter(Oo)){b(t,"assigned");let r=0;for(let{reports:o}of t)b(C(n.rows[0].slice(r,r+o))*t.length===n.total,"assigned"),r+=o}}
function Ao({assigned:e,groups:t},{hash:n}){let r=new URLSearchParams(n.slice(1)).get("group");return e?t.findIndex(({name:o})=>o===r):-1}
function ja(e,t,n=location){let r=Ao(e,n);if(r<0)return t;let o=e.table.total/e.groups.length;return[t[0],r*o+t[1]%o]}
function va(e,t){let{group:n}=e;return!n||Ao(e,location)<0?Wn(e,t):[m(t.words.invited(t.inside(n.label)))]}
Object.assign(M.table[0],$a),y({name:"invited",version:1,detect:({questions:e})=>e.some(Oo),validate:Ra,wrap:{placeDraws:()=>ja,renderHints:()=>va}});
