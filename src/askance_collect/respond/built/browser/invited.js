var $o=e=>Object.hasOwn(e,"assigned"),
va={"assigned?":"invitation"};
function ja({questions:e}){for(let{groups:t,table:n}of e.filter($o)){b(t,"assigned");let r=0;for(let{reports:o}of t)b(C(n.rows[0].slice(r,r+o))*t.length===n.total,"assigned"),r+=o}}
function Ro({assigned:e,groups:t},{hash:n}){let r=new URLSearchParams(n.slice(1)).get("group");return e?t.findIndex(({name:o})=>o===r):-1}
function Ba(e,t,n=location){let r=Ro(e,n);if(r<0)return t;let o=e.table.total/e.groups.length;return[t[0],r*o+t[1]%o]}
function Ha(e,t){let{group:n}=e;return!n||Ro(e,location)<0?Gn(e,t):[h(t.words.invited(t.inside(n.label)))]}
Object.assign(M.table[0],va),y({name:"invited",version:1,detect:({questions:e})=>e.some($o),validate:ja,wrap:{placeDraws:()=>Ba,renderHints:()=>Ha}});
