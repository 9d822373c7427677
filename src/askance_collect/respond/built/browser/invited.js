var oo=e=>Object.hasOwn(e,"assigned");
function fa({questions:e}){for(let{assigned:t,groups:n,table:r}of e.filter(oo)){p(t==="invitation"&&n,"assigned");let o=0;for(let{reports:s}of n)p(C(r.rows[0].slice(o,o+s))*n.length===r.total,"assigned"),o+=s}}
function so({assigned:e,groups:t},{hash:n}){let r=new URLSearchParams(n.slice(1)).get("group");return e?t.findIndex(({name:o})=>o===r):-1}
function pa(e,t,n=location){let r=so(e,n);if(r<0)return t;let o=e.table.total/e.groups.length;return[t[0],r*o+t[1]%o]}
function ma(e,t){let{group:n}=e;return!n||so(e,location)<0?$n(e,t):[h(t.words.invited(t.inside(n.label)))]}
k({name:"invited",version:1,detect:({questions:e})=>e.some(oo),validate:fa,wrap:{placeDraws:()=>pa,renderHints:()=>ma}});
var bo=e=>Object.hasOwn(e,"assigned"),
xa={"assigned?":"invitation"};
function Sa({questions:e}){for(let{groups:t,table:n}of e.filter(bo)){b(t,"assigned");let r=0;for(let{reports:o}of t)b(I(n.rows[0].slice(r,r+o))*t.length===n.total,"assigned"),r+=o}}
function yo({assigned:e,groups:t},{hash:n}){let r=new URLSearchParams(n.slice(1)).get("group");return e?t.findIndex(({name:o})=>o===r):-1}
function Oa(e,t,n=location){let r=yo(e,n);if(r<0)return t;let o=e.table.total/e.groups.length;return[t[0],r*o+t[1]%o]}
function Aa(e,t){let{group:n}=e;return!n||yo(e,location)<0?Un(e,t):[m(t.words.invited(t.inside(n.label)))]}
Object.assign(F.table[0],xa),y({name:"invited",version:1,detect:({questions:e})=>e.some(bo),validate:Sa,wrap:{placeDraws:()=>Oa,renderHints:()=>Aa}});
