var Do=e=>Object.hasOwn(e,"assigned"),
ec={"assigned?":"invitation"};
function tc({questions:e}){for(let{groups:t,table:n}of e.filter(Do)){w(t,"assigned");let r=0;for(let{reports:o}of t)w($(n.rows[0].slice(r,r+o))*t.length===n.total,"assigned"),r+=o}}
function Mo({assigned:e,groups:t},{hash:n}){let r=new URLSearchParams(n.slice(1)).get("group");return e?t.findIndex(({name:o})=>o===r):-1}
function nc(e,t,n=location){let r=Mo(e,n);if(r<0)return t;let o=e.table.total/e.groups.length;return[t[0],r*o+t[1]%o]}
function rc(e,t){let{group:n}=e;return!n||Mo(e,location)<0?Xn(e,t):[h(t.words.invited(t.inside(n.label)))]}
Object.assign(M.table[0],ec),b({name:"invited",version:1,detect:({questions:e})=>e.some(Do),validate:tc,wrap:{placeDraws:()=>nc,renderHints:()=>rc}});
