function ru(e,{words:t,inside:n}){let{reports:r,table:{rows:o}}=e;if(!ft(e)||!o.some(i=>i.filter(a=>a>0).length>3))return;let s=r.filter((i,a)=>o.some(c=>c[a]>0)).map(({label:i})=>n(i));return{lines:s,hint:t.sets(s.length)}}
E.describeSets=ru;
