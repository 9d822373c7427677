var Qo=e=>Object.hasOwn(e,"assigned"),
hc={"assigned?":"invitation"};
function gc({questions:e}){for(let{groups:t,table:n}of e.filter(Qo)){w(t,"assigned");let r=0;for(let{reports:o}of t)w($(n.rows[0].slice(r,r+o))*t.length===n.total,"assigned"),r+=o}}
function Jo({assigned:e,groups:t},{hash:n}){let r=new URLSearchParams(n.slice(1)).get("group");return e?t.findIndex(({name:o})=>o===r):-1}
function wc(e,t,n=location){let r=Jo(e,n);if(r<0)return t;let o=e.table.total/e.groups.length;return[t[0],r*o+t[1]%o]}
function bc(e,t){let{group:n}=e;return!n||Jo(e,location)<0?er(e,t):[h(t.words.invited(t.inside(n.label)))]}
Object.assign(H.table[0],hc),b({name:"invited",version:1,detect:({questions:e})=>e.some(Qo),validate:gc,wrap:{placeDraws:()=>wc,renderHints:()=>bc}});
