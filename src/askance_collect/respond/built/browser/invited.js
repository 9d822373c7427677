var oo=e=>Object.hasOwn(e,"assigned");
function fa({questions:e}){for(let{assigned:t,groups:n,table:r}of e.filter(oo)){p(t==="invitation"&&n,"assigned");let o=0;for(let{reports:s}of n)p(C(r.rows[0].slice(o,o+s))*n.length===r.total,"assigned"),o+=s}}
function so({assigned:e,groups:t},{hash:n}){let r=new URLSearchParams(n.slice(1)).get("group");return e?t.findIndex(({name:o})=>o===r):-1}
function pa(e,t,n=location){let r=so(e,n);if(r<0)return t;let o=e.table.total/e.groups.length;return[t[0],r*o+t[1]%o]}
function ma(e,t){let{group:n}=e;return!n||so(e,location)<0?$n(e,t):[h(t.words.invited(t.inside(n.label)))]}
k({name:"invited",version:1,detect:({questions:e})=>e.some(oo),validate:fa,wrap:{placeDraws:()=>pa,renderHints:()=>ma}});
