var qr=e=>Object.hasOwn(e,"assigned");
function ra({questions:e}){for(let{assigned:t,groups:n,table:r}of e.filter(qr)){p(t==="invitation"&&n,"assigned");let o=0;for(let{reports:s}of n)p(C(r.rows[0].slice(o,o+s))*n.length===r.total,"assigned"),o+=s}}
function eo({assigned:e,groups:t},{hash:n}){let r=new URLSearchParams(n.slice(1)).get("group");return e?t.findIndex(({name:o})=>o===r):-1}
function oa(e,t,n=location){let r=eo(e,n);if(r<0)return t;let o=e.table.total/e.groups.length;return[t[0],r*o+t[1]%o]}
function sa(e,t){let{group:n}=e;return!n||eo(e,location)<0?Tn(e,t):[h(t.words.invited(t.inside(n.label)))]}
k({name:"invited",version:1,detect:({questions:e})=>e.some(qr),validate:ra,wrap:{placeDraws:()=>oa,renderHints:()=>sa}});
