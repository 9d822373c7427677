var FORMULA=/^[=+\-@\t\r']/,
DECIMALS=60,
columnsOf=(t,n=t.name)=>isRange(t)?[`${n}_above`,`${n}_upto`]:[n];
function cellsOf(t,n){const{line:r,answers:e,reports:s}=t;if(isRange(t)){const[o,i]=n??[0,r.ticks];return[o>0?written(r,o):"",i<r.ticks?written(r,i):""]}return n===null?[""]:typeof n=="string"?[guarded(n)]:r?[written(r,n)]:[guarded((s??e)[n].name)]}
function cellsByColumn(t,n,r){const e=cellsOf(t,n);return Object.fromEntries(columnsOf(t,r).map((s,o)=>[s,e[o]]))}
var guarded=t=>FORMULA.test(t)?`'${t}`:t;
function written(t,n){const[[r,e],[s,o]]=[fraction(t.lower),fraction(t.step)],[i,c]=lowest(r*o+BigInt(n)*s*e,e*o),l=Math.max(powerOf(2n,c),powerOf(5n,c)),a=10n**BigInt(l);if(a%c!==0n||l>DECIMALS)return`${i}/${c}`;const f=`${magnitude(i*a/c)}`.padStart(l+1,"0"),w=f.length-l;return`${i<0n?"-":""}${f.slice(0,w)}${l>0?`.${f.slice(w)}`:""}`}
var magnitude=t=>t<0n?-t:t;
function lowest(t,n){let[r,e]=[magnitude(t),n];for(;e>0n;)[r,e]=[e,r%e];return[t/r,n/r]}
function powerOf(t,n){let[r,e]=[0,n];for(;e%t===0n;)[r,e]=[r+1,e/t];return r}
