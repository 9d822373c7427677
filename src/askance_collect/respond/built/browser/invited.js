var Ho=e=>Object.hasOwn(e,"assigned"),
Da={"assigned?":"invitation"};
function Ma({questions:e}){for(let{groups:t,table:n}of e.filter(Ho)){w(t,"assigned");let r=0;for(let{reports:o}of t)w(C(n.rows[0].slice(r,r+o))*t.length===n.total,"assigned"),r+=o}}
function Po({assigned:e,groups:t},{hash:n}){let r=new URLSearchParams(n.slice(1)).get("group");return e?t.findIndex(({name:o})=>o===r):-1}
function Ua(e,t,n=location){let r=Po(e,n);if(r<0)return t;let o=e.table.total/e.groups.length;return[t[0],r*o+t[1]%o]}
function Wa(e,t){let{group:n}=e;return!n||Po(e,location)<0?Vn(e,t):[h(t.words.invited(t.inside(n.label)))]}
Object.assign(M.table[0],Da),k({name:"invited",version:1,detect:({questions:e})=>e.some(Ho),validate:Ma,wrap:{placeDraws:()=>Ua,renderHints:()=>Wa}});
var jo=e=>Object.hasOwn(e,"assigned"),
Fa={"assigned?":"invitation"};
function Da({questions:e}){for(let{groups:t,table:n}of e.filter(jo)){b(t,"assigned");let r=0;for(let{reports:o}of t)b(C(n.rows[0].slice(r,r+o))*t.length===n.total,"assigned"),r+=o}}
function Bo({assigned:e,groups:t},{hash:n}){let r=new URLSearchParams(n.slice(1)).get("group");return e?t.findIndex(({name:o})=>o===r):-1}
function Ua(e,t,n=location){let r=Bo(e,n);if(r<0)return t;let o=e.table.total/e.groups.length;return[t[0],r*o+t[1]%o]}
function Ma(e,t){let{group:n}=e;return!n||Bo(e,location)<0?zn(e,t):[h(t.words.invited(t.inside(n.label)))]}
Object.assign(U.table[0],Fa),y({name:"invited",version:1,detect:({questions:e})=>e.some(jo),validate:Da,wrap:{placeDraws:()=>Ua,renderHints:()=>Ma}});
