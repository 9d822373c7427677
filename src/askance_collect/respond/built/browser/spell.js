var FORMULA=/^[=+\-@\t\r']/,
DECIMALS=60,
columnsOf=(n,t=n.name)=>isRange(n)?[`${t}_above`,`${t}_upto`]:[t];
function cellsOf(n,t){const{line:r,answers:e,reports:s}=n;if(isRange(n)){const[o,i]=t??[0,r.ticks];return[o>0?written(r,o):"",i<r.ticks?written(r,i):""]}return t===null?[""]:typeof t=="string"?[guarded(t)]:r?[written(r,t)]:[guarded((s??e)[t].name)]}
function cellsByColumn(n,t,r){const e=cellsOf(n,t);return Object.fromEntries(columnsOf(n,r).map((s,o)=>[s,e[o]]))}
var guarded=n=>FORMULA.test(n)?`'${n}`:n;
function written(n,t){const[[r,e],[s,o]]=[n.lower,n.step].map(w=>fraction(w)??[0n,1n]),[i,c]=lowest(r*o+BigInt(t)*s*e,e*o),l=Math.max(powerOf(2n,c),powerOf(5n,c)),a=10n**BigInt(l);if(a%c!==0n||l>DECIMALS)return`${i}/${c}`;const f=`${magnitude(i*a/c)}`.padStart(l+1,"0"),p=f.length-l;return`${i<0n?"-":""}${f.slice(0,p)}${l>0?`.${f.slice(p)}`:""}`}
var magnitude=n=>n<0n?-n:n;
function lowest(n,t){let[r,e]=[magnitude(n),t];for(;e>0n;)[r,e]=[e,r%e];return[n/r,t/r]}
function powerOf(n,t){let[r,e]=[0,t];for(;e%n===0n;)[r,e]=[r+1,e/n];return r}
