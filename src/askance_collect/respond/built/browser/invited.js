var Go=e=>Object.hasOwn(e,"assigned"),
cc={"assigned?":"invitation"};
function dc({questions:e}){for(let{groups:t,table:n}of e.filter(Go)){w(t,"assigned");let r=0;for(let{reports:o}of t)w($(n.rows[0].slice(r,r+o))*t.length===n.total,"assigned"),r+=o}}
function zo({assigned:e,groups:t},{hash:n}){let r=new URLSearchParams(n.slice(1)).get("group");return e?t.findIndex(({name:o})=>o===r):-1}
function lc(e,t,n=location){let r=zo(e,n);if(r<0)return t;let o=e.table.total/e.groups.length;return[t[0],r*o+t[1]%o]}
function uc(e,t){let{group:n}=e;return!n||zo(e,location)<0?er(e,t):[h(t.words.invited(t.inside(n.label)))]}
Object.assign(M.table[0],cc),b({name:"invited",version:1,detect:({questions:e})=>e.some(Go),validate:dc,wrap:{placeDraws:()=>lc,renderHints:()=>uc}});
