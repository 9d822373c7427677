var isAssigned=e=>Object.hasOwn(e,"assigned");
function validateInvited({questions:e}){for(const{assigned:n,groups:t,table:i}of e.filter(isAssigned)){assert(n==="invitation"&&t,"assigned");let r=0;for(const{reports:a}of t)assert(sum(i.rows[0].slice(r,r+a))*t.length===i.total,"assigned"),r+=a}}
function invitedTo({assigned:e,groups:n},{hash:t}){const i=new URLSearchParams(t.slice(1)).get("group");return e?n.findIndex(({name:r})=>r===i):-1}
function placed(e,n,t=location){const i=invitedTo(e,t);if(i<0)return n;const r=e.table.total/e.groups.length;return[n[0],i*r+n[1]%r]}
function renderInvited(e,n){const{group:t}=e;return!t||invitedTo(e,location)<0?renderGroup(e,n):[paragraph(n.words.invited(n.inside(t.label)))]}
register({name:"invited",version:1,detect:({questions:e})=>e.some(isAssigned),validate:validateInvited,wrap:{placeDraws:()=>placed,renderHints:()=>renderInvited}});
