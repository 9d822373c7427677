var Vo=e=>Object.hasOwn(e,"assigned"),
uc={"assigned?":"invitation"};
function fc({questions:e}){for(let{groups:t,table:n}of e.filter(Vo)){w(t,"assigned");let r=0;for(let{reports:o}of t)w($(n.rows[0].slice(r,r+o))*t.length===n.total,"assigned"),r+=o}}
function Qo({assigned:e,groups:t},{hash:n}){let r=new URLSearchParams(n.slice(1)).get("group");return e?t.findIndex(({name:o})=>o===r):-1}
function pc(e,t,n=location){let r=Qo(e,n);if(r<0)return t;let o=e.table.total/e.groups.length;return[t[0],r*o+t[1]%o]}
function mc(e,t){let{group:n}=e;return!n||Qo(e,location)<0?tr(e,t):[h(t.words.invited(t.inside(n.label)))]}
Object.assign(H.table[0],uc),b({name:"invited",version:1,detect:({questions:e})=>e.some(Vo),validate:fc,wrap:{placeDraws:()=>pc,renderHints:()=>mc}});
