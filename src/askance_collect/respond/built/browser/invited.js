var jo=e=>Object.hasOwn(e,"assigned"),
Ha={"assigned?":"invitation"};
function Pa({questions:e}){for(let{groups:t,table:n}of e.filter(jo)){b(t,"assigned");let r=0;for(let{reports:o}of t)b(C(n.rows[0].slice(r,r+o))*t.length===n.total,"assigned"),r+=o}}
function Bo({assigned:e,groups:t},{hash:n}){let r=new URLSearchParams(n.slice(1)).get("group");return e?t.findIndex(({name:o})=>o===r):-1}
function Fa(e,t,n=location){let r=Bo(e,n);if(r<0)return t;let o=e.table.total/e.groups.length;return[t[0],r*o+t[1]%o]}
function Da(e,t){let{group:n}=e;return!n||Bo(e,location)<0?Gn(e,t):[h(t.words.invited(t.inside(n.label)))]}
Object.assign(M.table[0],Ha),y({name:"invited",version:1,detect:({questions:e})=>e.some(jo),validate:Pa,wrap:{placeDraws:()=>Fa,renderHints:()=>Da}});
