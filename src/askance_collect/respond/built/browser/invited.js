var Ho=e=>Object.hasOwn(e,"assigned"),
_a={"assigned?":"invitation"};
function Ga({questions:e}){for(let{groups:t,table:n}of e.filter(Ho)){w(t,"assigned");let r=0;for(let{reports:o}of t)w($(n.rows[0].slice(r,r+o))*t.length===n.total,"assigned"),r+=o}}
function Po({assigned:e,groups:t},{hash:n}){let r=new URLSearchParams(n.slice(1)).get("group");return e?t.findIndex(({name:o})=>o===r):-1}
function za(e,t,n=location){let r=Po(e,n);if(r<0)return t;let o=e.table.total/e.groups.length;return[t[0],r*o+t[1]%o]}
function Va(e,t){let{group:n}=e;return!n||Po(e,location)<0?Qn(e,t):[h(t.words.invited(t.inside(n.label)))]}
Object.assign(M.table[0],_a),y({name:"invited",version:1,detect:({questions:e})=>e.some(Ho),validate:Ga,wrap:{placeDraws:()=>za,renderHints:()=>Va}});
