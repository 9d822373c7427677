function describeSets(s,{words:n,inside:o}){const{reports:l,table:{rows:r}}=s;if(!isTruthful(s)||!r.some(e=>e.filter(t=>t>0).length>3))return;const i=l.filter((e,t)=>r.some(c=>c[t]>0)).map(({label:e})=>o(e));return{lines:i,hint:n.sets(i.length)}}
oddsTexts.describeSets=describeSets;
